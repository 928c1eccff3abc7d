/** `collab serve`: serves specification 002's stream over HTTP. */
import { takesPort } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import { collect, configFromHelp } from '../flags/review-flags.ts';
import { addServeTokenCommands } from './serve-token-command.ts';
import { advisorsHelp, leadsHelp } from '../flags/provider-help.ts';

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly requireToken?: boolean;
  readonly lead?: string;
  readonly advisor?: string;
  readonly language?: string;
  readonly json?: boolean;
  readonly config?: string;
  readonly configFrom?: string;
}

const examples = `
Examples:
  collab serve
  collab serve --port 0 --json             any free port; one JSON line tells the address
  collab serve --advisor codex --lead claude_code

  curl -N http://127.0.0.1:8765/api/tenants/local/conversations/first/stream \\
    -F 'request_data={"user_input":"/review","executor":{"user_id":"me","name":"Me","email":"me@example.com"}}'

  collab serve token create --tenant acme                       for callers from elsewhere, and then:
  collab serve --host 0.0.0.0 --allow-host collab.example.org

A run goes on when its reader goes away, and when the server is started again. Ctrl-C stops the server.

Exit codes: 0, 2 usage, 4 failed, 130 interrupted
`;

const usualPort = 8765;

export function addServeCommand({ root, run, read }: Program): void {
  const serve = root
    .command('serve')
    .description('serve runs and conversations over HTTP, as a stream of events')
    .option('--port <n>', 'where to listen; 0 takes any that is free', takesPort('--port'), usualPort)
    .option('--host <address>', 'the address to listen at; any but loopback asks for a token', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'a name that callers may use for this server, such as that of a proxy; repeatable',
      collect,
    )
    .option(
      '--allow-origin <origin>',
      'an origin besides its own whose pages may call it; repeatable',
      collect,
    )
    .option('--require-token', 'ask for a token on loopback too')
    .option('--lead <provider[:model]>', `who leads: ${leadsHelp}`)
    .option('--advisor <provider[:model]>', `who advises: ${advisorsHelp}`)
    .option('--language <tag>', "the language of the agents' prose and of the stream's words, e.g. en")
    .option('--json', 'the address as one JSON line')
    .option('--config <file>', 'a configuration file instead of collab.config.yaml')
    .option('--config-from <ref>', configFromHelp)
    .addHelpText('after', examples)
    .action((flags: ServeFlags) => {
      run(async (session) => (await import('../serve/serve.ts')).serve(session, flags, read));
    });
  addServeTokenCommands(serve, { run });
}
