/** `collab chat`: a conversation with the lead. */
import { addBudgetFlags, type BudgetFlags } from '../flags/budget-flags.ts';
import type { Program } from '../program.ts';
import { configFromHelp } from '../flags/review-flags.ts';
import { advisorsHelp } from '../flags/provider-help.ts';

export interface ChatFlags extends BudgetFlags {
  /** `true`: the newest. */
  readonly resume?: string | true;
  readonly lead?: string;
  readonly advisor?: string;
  readonly language?: string;
  readonly json?: boolean;
  readonly config?: string;
  readonly configFrom?: string;
  readonly ascii?: boolean;
}

const examples = `
Examples:
  collab chat                              Claude Code where you are logged in, else the lead of the configuration
  collab chat --lead anthropic             by your key; openai and gemini likewise
  collab chat --lead rehearsal             a script: nothing needs to be installed
  collab chat --resume                     goes on with the newest conversation
  echo "what is src/ for?" | collab chat --lead anthropic
  collab chat --lead anthropic --json < inputs.txt      one input a line, one JSON event a line

/help lists the commands. A line that ends with \\ goes on in the next one. Ctrl-C stops the answer, Ctrl-D leaves.

The tools work in your own files. What the lead wants to change it asks you first, or \`tools.policy\` in the configuration says; where
nobody can be asked, the answer is no.

A budget bounds the answers of the whole conversation, earlier days included; runs that it starts have the same one each.
Conversations stay until collab clean --all.

Exit codes: 0, 2 usage, 4 the last input got no answer, 130 interrupted
`;

export function addChatCommand({ root, run, perform, read }: Program): void {
  const command = root
    .command('chat')
    .description('talk with the lead; commands for every tool and for the protocol')
    .option('--resume [id]', 'go on with an earlier conversation; without an id: the newest')
    .option(
      '--lead <provider[:model]>',
      'who answers: auto, claude_code, anthropic, openai, gemini, rehearsal[:<script.yaml>]',
    )
    .option('--advisor <provider[:model]>', `who is consulted: ${advisorsHelp}`)
    .option('--language <tag>', "the language of the lead's prose, e.g. ja")
    .option('--json', 'one JSON event a line; an input is a line of text or {"text": "…"}')
    .option('--config <file>', 'a configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--ascii', 'no emoji')
    .addHelpText('after', examples);
  addBudgetFlags(command).action((flags: ChatFlags) => {
    run(async (session) => (await import('../chat/chat.ts')).chat(session, flags, { perform, read }));
  });
}
