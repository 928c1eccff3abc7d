/** `collab serve`: serves specification 002's stream over HTTP. */
import { portText, takes } from '../flags/flag-values.ts';
import type { Program } from '../program.ts';
import type { ServerChoices } from '../../server/runs/served-place.ts';
import { addConfigurationFlags, addSettingFlags, collected } from '../flags/setting-flags.ts';
import { addRemoteFlags } from '../engine/remote-flags.ts';
import { logOption, type LogFormat } from '../service-log.ts';
import { addServeTokenCommands } from './serve-token-command.ts';

export interface ServeFlags extends ServerChoices {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly requireToken?: boolean;
  readonly messages?: boolean;
  readonly json?: boolean;
  readonly log?: LogFormat;
  readonly remote?: boolean;
  readonly engine?: string;
}

const examples = `
Examples:
  collab serve
  collab serve --port 0 --json             on any free port; prints the address as one JSON line
  collab serve --advisor codex --lead claude_code

  curl -N http://127.0.0.1:8765/api/tenants/local/conversations/first/stream \\
    -F 'request_data={"user_input":"/review","executor":{"user_id":"me","name":"Me","email":"me@example.com"}}'

  collab serve --engine postgres://…       submits reviews to the workers of a database, and serves its runs

  collab serve token create --tenant acme                       for other hosts, and then:
  collab serve --host 0.0.0.0 --allow-host collab.example.org

A run continues without its reader, and after a restart of the server. Ctrl-C stops the server.

Exit codes: 0, 2 usage, 4 failed, 130 interrupted
`;

const usualPort = 8765;

export function addServeCommand({ root, run, read }: Program): void {
  const serve = root
    .command('serve')
    .description('serve runs and conversations over HTTP, as event streams')
    .option('--port <n>', 'listen on this port; 0 chooses a free one', takes('--port', portText), usualPort)
    .option('--host <address>', 'listen on this address; other than loopback requires a token', '127.0.0.1')
    .option('--allow-host <name>', 'accept this host name, such as that of a proxy; repeatable', collected)
    .option('--allow-origin <origin>', 'accept requests from pages of this origin; repeatable', collected)
    .option('--require-token', 'require a token on loopback too')
    .option('--no-messages', 'end streams without the messages of the run');
  addSettingFlags(serve, 'serve')
    .option('--json', 'print the address as one JSON line')
    .addOption(logOption());
  addRemoteFlags(serve, 'serve the runs of the database, which workers drive');
  addConfigurationFlags(serve)
    .addHelpText('after', examples)
    .action((flags: ServeFlags) => {
      run(async (session) => (await import('../serve/serve.ts')).serve(session, flags, read));
    });
  addServeTokenCommands(serve, { run });
}
