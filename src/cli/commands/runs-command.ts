/** `collab runs` and `collab status`: list the runs and the state of each. */
import { engineOf } from '../engine/engine-of.ts';
import { addRemoteFlags, remoteWord, withEngine, type RemoteFlags } from '../engine/remote-flags.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import type { ListedRun } from '../../runs/folder/listed-run.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { renderJson } from '../../text/render-json.ts';

interface RunsFlags extends RemoteFlags {
  readonly json?: boolean;
}

export function addRunsCommand({ root, run }: Program): void {
  addRemoteFlags(root.command('runs').description('list the runs of this folder, newest first'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab runs --json\n')
    .action((flags: RunsFlags) => {
      run((session) => withEngine(session, flags, (at) => showRuns(at, flags)));
    });
}

export function addStatusCommand(program: Program): void {
  addCommandOfRun(
    program,
    { name: 'status', about: 'show the state of a run and the next step', isRemote: true },
    showStatus,
  )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab status latest\n');
}

async function showRuns(session: Session, { json = false }: RunsFlags): Promise<number> {
  const { collabHome } = await import('../../runs/folder/run-folder.ts');
  const runs = await (await engineOf(session)).describeAll(collabHome(session));
  if (json) session.out(renderJson(runs));
  else if (runs.length === 0) session.out(session.engine === undefined ? 'no runs here\n' : 'no runs\n');
  else await printRuns(session, runs);
  return 0;
}

async function printRuns(session: Session, runs: readonly ListedRun[]): Promise<void> {
  const { renderRuns } = await import('../lists/run-list.ts');
  const { printList } = await import('../lists/print-list.ts');
  printList(session, (width) => renderRuns(runs, { nowMs: session.clock.now(), width }));
}

async function showStatus(
  session: Session,
  found: RunFolder,
  flags: { readonly json?: boolean },
): Promise<number> {
  const described = await (await engineOf(session)).describe(found);
  if (flags.json === true) {
    session.out(renderJson(described));
    return 0;
  }
  const { renderRunState } = await import('../lists/run-list.ts');
  const { printList } = await import('../lists/print-list.ts');
  const look = { nowMs: session.clock.now(), next: nextStep(described, remoteWord(session)) };
  printList(session, (width) => renderRunState(described, { ...look, width }));
  return 0;
}

function nextStep({ run, state }: ListedRun, remote: string): string {
  switch (state) {
    case 'interrupted':
      return `continue it: collab resume ${run}`;
    case 'queued':
    case 'running':
      return `wait for it: collab wait ${run}${remote} --timeout 9m`;
    case 'waiting':
      return `it has a question: collab show ${run}${remote} prints it, collab answer ${run}${remote} --file - answers it`;
    default:
      return `see its result: collab show ${run}${remote}`;
  }
}
