/** `collab chat`: a conversation with the lead. */
import { addBudgetFlags, type BudgetFlags } from '../flags/budget-flags.ts';
import type { Program } from '../program.ts';
import { configFromHelp } from '../flags/review-flags.ts';
import { advisorsHelp } from '../flags/provider-help.ts';
import { takesLanguage } from '../flags/flag-values.ts';

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
  collab chat                              Claude Code if you are logged in, else the lead of the configuration
  collab chat --lead anthropic             with your key; also openai and gemini
  collab chat --lead rehearsal             a script: no installation needed
  collab chat --resume                     continues the newest conversation
  echo "what is src/ for?" | collab chat --lead anthropic
  collab chat --lead anthropic --json < inputs.txt      one input a line, one JSON event a line

/help lists the commands. A line that ends with \\ continues on the next line. Ctrl-C stops the answer, Ctrl-D leaves.

The tools work in your own files. collab asks you before the lead changes a file, unless \`tools.policy\` in the configuration
decides. If it cannot ask, the answer is no.

A budget limits the answers of the whole conversation, including earlier days; each run that it starts has the same budget.
Conversations stay until collab clean --all.

Exit codes: 0, 2 usage, 4 the last input got no answer, 130 interrupted
`;

export function addChatCommand({ root, run, perform, read }: Program): void {
  const command = root
    .command('chat')
    .description('converse with the lead; has commands for the tools and the protocol')
    .option('--resume [id]', 'continue an earlier conversation (default: the newest)')
    .option(
      '--lead <provider[:model]>',
      'choose the lead: auto, claude_code, anthropic, openai, gemini, rehearsal[:<script.yaml>]',
    )
    .option('--advisor <provider[:model]>', `choose the advisor: ${advisorsHelp}`)
    .option('--language <tag>', "set the language of the lead's text, e.g. ja", takesLanguage)
    .option('--json', 'print JSON events; read text lines or {"text": "…"}')
    .option('--config <file>', 'use this configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .option('--ascii', 'print no emoji')
    .addHelpText('after', examples);
  addBudgetFlags(command).action((flags: ChatFlags) => {
    run(async (session) => (await import('../chat/chat.ts')).chat(session, flags, { perform, read }));
  });
}
