/** `collab runs` and `collab status`: list the runs and the state of each. */
import { addCommandOfRun } from '../flags/command-of-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import type { ListedRun } from '../../runs/folder/run-index.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';

export function addRunsCommand({ root, run }: Program): void {
  root
    .command('runs')
    .description('list the runs of this folder, newest first')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab runs --json\n')
    .action((flags: { readonly json?: boolean }) => {
      run(async (session) => {
        const { collabHome, listRuns } = await import('../../runs/folder/run-folder.ts');
        const { listWithIndex } = await import('../../runs/folder/run-index.ts');
        const home = collabHome(session);
        const lines = await listWithIndex(home, listRuns(home), listedRun);
        if (flags.json === true) session.out(`${JSON.stringify(lines, null, 2)}\n`);
        else session.out(lines.length === 0 ? 'no runs here\n' : lines.map(renderLine).join(''));
        return 0;
      });
    });
}

export function addStatusCommand(program: Program): void {
  addCommandOfRun(program, { name: 'status', about: 'show the state of a run and the next step' }, showStatus)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab status latest\n');
}

async function showStatus(
  session: Session,
  found: RunFolder,
  flags: { readonly json?: boolean },
): Promise<number> {
  const line = await describeRun(found);
  if (flags.json === true) session.out(`${JSON.stringify(line, null, 2)}\n`);
  else session.out(`${renderLine(line)}${nextStep(line)}`);
  return 0;
}

/** Also lists a run that cannot be read; `collab status` says why. */
async function listedRun(found: RunFolder): Promise<ListedRun> {
  const { isUnreadable } = await import('../../runs/folder/run-status.ts');
  try {
    return await describeRun(found);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const { readSubject } = await import('../../runs/folder/run-title.ts');
    return { run: found.runId, state: 'unreadable', outcome: null, subject: readSubject(found.path) };
  }
}

async function describeRun(found: RunFolder): Promise<ListedRun> {
  const { readRunResult } = await import('../flags/run-arguments.ts');
  const { readSubject } = await import('../../runs/folder/run-title.ts');
  const { standing } = await import('../../runs/folder/run-status.ts');
  const state = await standing(found.path);
  const result = readRunResult(found);
  return {
    run: found.runId,
    state,
    outcome: state === 'ended' ? (result?.outcome ?? null) : null,
    subject: readSubject(found.path),
  };
}

function renderLine({ run, state, outcome, subject }: ListedRun): string {
  return `${run}  ${state.padEnd(11)}  ${(outcome ?? '-').padEnd(16)}  ${subject ?? ''}\n`;
}

function nextStep({ run, state }: ListedRun): string {
  switch (state) {
    case 'interrupted':
      return `continue it: collab resume ${run}\n`;
    case 'running':
      return `wait for it: collab wait ${run} --timeout 9m\n`;
    case 'waiting':
      return `it has a question: collab show ${run} prints it, collab answer ${run} --file - answers it\n`;
    default:
      return `see its result: collab show ${run}\n`;
  }
}
