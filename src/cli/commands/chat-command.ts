/** `collab chat`: a conversation with the lead. */
import type { Program } from '../program.ts';
import type { StartDefaults } from '../../runs/start/start-request.ts';
import { addConfigurationFlags, addSettingFlags } from '../flags/setting-flags.ts';

export interface ChatFlags extends Omit<StartDefaults, 'skill'> {
  /** `true`: the newest. */
  readonly resume?: string | true;
  readonly json?: boolean;
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

/help lists the commands. A line that ends with \\ continues on the next line. Ctrl-C stops the answer, Ctrl-D exits.

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
    .option('--resume [id]', 'continue an earlier conversation (default: the newest)');
  addSettingFlags(command, 'chat').option('--json', 'print JSON events; read text lines or {"text": "…"}');
  addConfigurationFlags(command)
    .option('--ascii', 'print no emoji')
    .addHelpText('after', examples)
    .action((flags: ChatFlags) => {
      run(async (session) => (await import('../chat/chat.ts')).chat(session, flags, { perform, read }));
    });
}
