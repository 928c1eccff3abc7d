/** `collab review`: a change goes in, an honest outcome comes out. */
import { rmSync } from 'node:fs';
import { CollabError } from '../../errors/collab-error.ts';
import type { Baseline } from '../../review/findings/baseline.ts';
import type { PreparedChange, ReviewOptions } from '../../runs/review/prepare.ts';
import { exitCodeOfError, exitCodes } from '../exit-code.ts';
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
    .action((diff: string | undefined, flags: ReviewFlags) => {
      run((session) => review(session, diff, flags));
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
  // What drives the run is loaded when git and the advisor's program are at work, not before they are started.
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
  const [{ collabHome, createRunFolder }, { writeRunInput }, { writeNotBegun }] = await Promise.all([
    import('../../runs/folder/run-folder.ts'),
    import('../../runs/folder/run-input.ts'),
    import('../../runs/review/result.ts'),
  ]);
  const found = await beginRun(early, async () => {
    session.signal.throwIfAborted();
    const made = createRunFolder(collabHome(session), session.clock, early?.runId);
    try {
      writeRunInput(made.path, input);
      await writeNotBegun({ runFolder: made.path, runId: made.runId, clock: session.clock });
    } catch (error) {
      rmSync(made.path, { recursive: true, force: true });
      throw error;
    }
    return made;
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

/** Nobody can advise: the report files say "failed", so that an earlier one is not read as this review's. */
async function refuse(error: unknown, options: ReviewOptions, prepared: PreparedChange): Promise<never> {
  if (error instanceof CollabError && exitCodeOfError(error.code) === exitCodes.failed) {
    const { reportRefusal } = await import('../../runs/review/result.ts');
    await reportRefusal({ prepared, options, error });
  }
  throw error;
}
