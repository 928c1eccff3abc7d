/** `collab apply`: applies a run's edits to the user's own tree, or prints why it cannot. */
import type { ApplyRunOutcome } from '../../runs/workflow/apply.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { neutralise } from '../../text/neutralise.ts';
import { createPaint } from '../../text/paint.ts';
import { paintPatch } from '../../text/patch.ts';
import { exitCodes } from '../exit-code.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';
import { engineOf } from '../engine/engine-of.ts';
import { statusCommand } from '../engine/remote-flags.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

export function addApplyCommand(program: Program): void {
  const about = 'apply the edits of a run to your own files';
  addCommandOfRun(program, { name: 'apply', about, isRemote: true }, apply)
    .option('--patch', 'only print the edits as a patch')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nStages and commits nothing. If one of your files has changed since the run copied it, nothing is written.\n' +
        'With --remote, call it in the repository in which the run was submitted, or in a clone that has its commit.\n' +
        'The branch collab/<run> is removed afterwards, unless you committed to it or checked it out.\n' +
        '\nExamples:\n  collab apply --patch\n  collab apply\n  collab apply 20261121-093005-x7k2 --json\n\nExit codes: 0 applied, or nothing to apply; 2 refused, with the files that block it\n',
    );
}

interface ApplyFlags {
  readonly json?: boolean;
  readonly patch?: boolean;
}

async function apply(session: Session, found: RunFolder, flags: ApplyFlags): Promise<number> {
  if (flags.patch !== true) await refuseUnfinished(session, found);
  const { cwd, env, signal } = session;
  const copy = await (await engineOf(session)).storedCopy(found);
  if (copy === null) return applyFrom(session, found, flags);
  const { withFetchedRun } = await import('../../runs/workflow/fetched-run.ts');
  return withFetchedRun(copy, { run: found, cwd, env, signal }, async (fetched) => {
    if (flags.patch !== true) await fetched.addBranch();
    return applyFrom(session, fetched, flags);
  });
}

async function applyFrom(session: Session, found: RunFolder, flags: ApplyFlags): Promise<number> {
  const { applyRun, readPatch } = await import('../../runs/workflow/apply.ts');
  const { cwd, env, signal } = session;
  if (flags.patch === true) {
    showPatch(session, found, await readPatch({ run: found, env, signal }));
    return exitCodes.passed;
  }
  const outcome = await applyRun({ run: found, cwd, env, signal });
  if (flags.json === true) session.out(renderJson({ run: found.runId, ...outcome }));
  else sayOutcome(session, found, outcome);
  return outcome.kind === 'refused' ? exitCodes.usage : exitCodes.passed;
}

/** Prints the bytes as they are to a pipe, for `git apply`; a terminal gets no control characters. */
function showPatch(session: Session, { runId }: RunFolder, patch: string | null): void {
  if (patch === null) session.err(`${runId} has no edits\n`);
  else if (!session.screen.interactive.out) session.out(patch);
  else session.out(paintPatch(neutralise(patch), createPaint(session.screen.color.out)));
}

async function refuseUnfinished(session: Session, found: RunFolder): Promise<void> {
  const { state } = await (await engineOf(session)).status(found);
  if (state === 'ended') return;
  throw new CollabError('usage', `${found.runId} is ${state}; only finished runs can be applied`, {
    hint: `See its state: ${statusCommand(session, found.runId)}`,
  });
}

function sayOutcome(session: Session, { runId }: RunFolder, outcome: ApplyRunOutcome): void {
  switch (outcome.kind) {
    case 'nothing':
      session.out(`${runId} has nothing to apply: it changed no file\n`);
      return;
    case 'refused': {
      const lines = outcome.obstacles.map(({ path, reason }) => `  ${neutralise(`${path} ${reason}`)}\n`);
      session.err(`collab: ${runId} was not applied, and nothing was changed:\n${lines.join('')}`);
      session.err(`  ${whereElse(outcome.branch)}\n`);
      return;
    }
    case 'applied': {
      const lines = outcome.paths.map(
        ({ path, action, already }) =>
          `  ${action.padEnd(7)}  ${neutralise(path)}${already ? ' (unchanged)' : ''}\n`,
      );
      session.out(`applied ${runId} in ${neutralise(outcome.root)}, nothing is staged:\n${lines.join('')}`);
      return;
    }
  }
}

function whereElse(branch: string | null): string {
  if (branch === null) return 'Put those files back as they were, then call it again';
  return `Put those files back as they were, or merge the commits yourself: git merge ${branch}`;
}
