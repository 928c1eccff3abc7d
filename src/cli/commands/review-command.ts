/** `collab review`: reviews a change and reports an honest outcome. */
import type { Command } from 'commander';
import { CollabError } from '../../errors/collab-error.ts';
import type { Baseline } from '../../review/findings/baseline.ts';
import type { PreparedChange, ReviewOptions } from '../../runs/review/prepare.ts';
import { exitCodeOfError, exitCodes } from '../exit-code.ts';
import { beginHere } from '../driving/begin-here.ts';
import type { Program } from '../program.ts';
import { addReviewFlags, type ReviewFlags } from '../flags/review-flags.ts';
import type { Session } from '../session.ts';

const examples = `
Examples:
  collab review                          what changed in this repository, new files included
  collab review fix.diff                 a diff file; - reads standard input
  collab review main...HEAD              a range, as a pull request shows it
  collab review --staged --fail-on important
  collab review --base origin/main --report json=review.json --report markdown=review.md
  collab review --base origin/main --baseline main.json      only what main did not have can fail it
  collab review --plan                   what would be reviewed; no agent is called

Exit codes: 0 clean or below --fail-on, 1 findings, 2 usage, 3 incomplete, 4 failed, 10 it asks, 130 interrupted
`;

export function addReviewCommand({ root, run }: Program): void {
  const command = root
    .command('review')
    .description('review a change: a diff file, a range, or the working tree')
    .argument('[diff]', "a diff file, '-' or a range a...b; without it: the working tree");
  addReviewFlags(command)
    .addHelpText('after', examples)
    .action((diff: string | undefined, flags: ReviewFlags, parsed: Command) => {
      run((session) => review(session, diff, flags), parsed);
    });
}

async function review(session: Session, diff: string | undefined, flags: ReviewFlags): Promise<number> {
  const { mergeSettings } = await import('../flags/review-settings.ts');
  const { changeRequest } = await import('../flags/change-request.ts');
  const change = await changeRequest(session, diff, flags);
  const { format, ...settings } = await mergeSettings(session, flags, { change, reviews: true });
  const options = { ...settings, change, baseline: await baselineOf(session, flags) };
  if (flags.plan === true) {
    const { takeChange } = await import('../../runs/review/prepare.ts');
    const { renderPlan } = await import('../driving/plan.ts');
    session.out(await renderPlan(await takeChange(options), options, flags.showPrompt === true));
    return 0;
  }
  const { driveOrDetach, followLimit } = await import('../driving/drive-or-detach.ts');
  const isElsewhere =
    flags.detach === true || session.takesOver !== undefined || followLimit(session) !== null;
  // Loads the run's code while git and the advisor's program work, not before they start.
  const [{ takeInput }, { beginRun, createEarlyRun, driveEarly }] = await Promise.all([
    import('../../runs/review/prepare-early.ts'),
    import('../../runs/review/early-agent.ts'),
  ]);
  const early = isElsewhere ? null : createEarlyRun(options);
  const input = await takeInput(options, {
    early,
    onTaken: () => void (isElsewhere ? null : preloadDrive()),
    onRefusal: (error, prepared) => refuse(error, options, prepared),
  });
  const found = await beginRun(early, () => {
    session.signal.throwIfAborted();
    return beginHere(session, input, early?.runId);
  });
  return driveEarly(early, () => driveOrDetach(session, found, { ...flags, format }));
}

async function baselineOf(session: Session, { baseline }: ReviewFlags): Promise<Baseline | null> {
  if (baseline === undefined) return null;
  const { readBaseline } = await import('../flags/read-baseline.ts');
  return readBaseline(session, baseline);
}

function preloadDrive(): Promise<unknown> {
  return Promise.all([import('../driving/drive.ts'), import('../../runs/review/drive.ts')]);
}

/** No advisor can run: writes "failed" to the report files, so that an earlier report is not taken for this one. */
async function refuse(error: unknown, options: ReviewOptions, prepared: PreparedChange): Promise<never> {
  if (error instanceof CollabError && exitCodeOfError(error.code) === exitCodes.failed) {
    const { reportRefusal } = await import('../../runs/review/result.ts');
    await reportRefusal({ prepared, options, error });
  }
  throw error;
}
