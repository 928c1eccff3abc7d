/** `collab open`: opens the page of a run, on this folder's server or on one started for it. */
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

interface OpenFlags {
  readonly browser: boolean;
}

const examples = `
Examples:
  collab open                  the page of the newest run
  collab open x7k2 --no-browser

Uses the running server of this folder, or starts one here; Ctrl-C stops it.
`;

export function addOpenCommand({ root, run, read }: Program): void {
  root
    .command('open')
    .description('show a run in the browser')
    .argument(
      '[run]',
      'its id, the start or end of the id, or "latest" (default: the newest, or the first page)',
    )
    .option('--no-browser', 'only print the address')
    .addHelpText('after', examples)
    .action((wanted: string | undefined, flags: OpenFlags) => {
      run((session) => open(session, wanted, { flags, read }));
    });
}

async function open(
  session: Session,
  wanted: string | undefined,
  { flags, read }: { readonly flags: OpenFlags; readonly read: Program['read'] },
): Promise<number> {
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const { openServerFolder } = await import('../../server/access/server-folder.ts');
  const { findServer } = await import('../../server/access/server-address.ts');
  const home = collabHome(session);
  const engine = await engineOf(session);
  const isEmpty = wanted === undefined && (await engine.list(home)).length === 0;
  const found = isEmpty ? null : await engine.find(home, wanted);
  const folder = openServerFolder({ home, env: session.env, clock: session.clock });
  const place = await pageOf(engine, found);
  const running = await findServer(folder);
  if (running !== null) {
    await show(session, `${reachable(running)}/${place}`, flags);
    return 0;
  }
  const { keepServer } = await import('../serve/keep-server.ts');
  const { openServer } = await import('../serve/serve.ts');
  const server = await openServer(session, { host: '127.0.0.1', port: 0 }, read);
  return keepServer(session, server, () => show(session, `${server.url}/${place}`, flags));
}

/** Returns the fragment that the page uses in its own links. */
async function pageOf(engine: Engine, found: RunFolder | null): Promise<string> {
  if (found === null) return '#/';
  const conversation = (await engine.ends(found))?.first.conversation_id ?? found.runId;
  return `#/c/${encodeURIComponent(conversation)}/r/${encodeURIComponent(found.runId)}`;
}

async function show(session: Session, address: string, { browser }: OpenFlags): Promise<void> {
  session.out(`${address}\n`);
  if (!browser) return;
  const { openBrowser } = await import('../serve/open-browser.ts');
  if (!(await openBrowser(session, address))) session.err('no browser found; open the address yourself\n');
}

/** Replaces the wildcard address, which a browser cannot open. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
