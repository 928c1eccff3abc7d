/** The review machine with its real actors: each is a step of the run, so that a resumed run takes the same path. */
import { createActor, fromPromise } from 'xstate';
import type { EventAgent, EventBody } from '../../events/collab-event.ts';
import {
  reviewMachine,
  reviewOutput,
  type CountedChange,
  type PlanInput,
  type ReportInput,
  type ReviewOutput,
  type ReviewScope,
  type RuleReport,
  type SearchInput,
  type SearchOutput,
} from '../../machine/review/review-machine.ts';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import { digestOf, sha256 } from '../../text/digest.ts';
import { pick } from '../../text/pick.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import type { RunContext, StepAttempt } from '../../engine/port.ts';
import type { OpenedWay } from '../calls/open-replier.ts';
import { examineChunks, type ExaminedDrive } from './static-evidence.ts';
import { isRemembered } from '../calls/advisor-call.ts';
import { provideExchange } from '../calls/exchange-actors.ts';
import type { ReadChange } from './read-change.ts';
import type { ReviewIntroduction } from '../introduction.ts';
import type { MetAgent, RunDrive, DriveEnding } from '../run-kind.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import { knownFindings } from './known-findings.ts';
import { openRecall } from '../cache/open-cache.ts';
import { runMachine } from '../../engine/drive/run-actor.ts';
import { withFindings } from './request-for-rules.ts';
import { reportEvents, type DecidingDrive } from './result.ts';
import { searchCopy } from './search-copy.ts';
import { provideVerify, secondOpinionWay } from './second-opinion.ts';
import type { SubmittedInput } from '../engine/portable-input.ts';

export interface ReviewDrive extends RunDrive<ReviewRunInput> {
  readonly env: DriveFolderOptions['env'];
  readonly signal: AbortSignal;
  readonly change: ReadChange;
  /** The input as each drive sees it, on whichever machine. */
  readonly everywhere: SubmittedInput;
  readonly advisor: Advisor;
  readonly agent: EventAgent;
  /** How the advisor's reverse requests are answered. */
  readonly answers: OpenedWay;
  /** The copy of the files under review; null if no agent reads files. */
  readonly reviewFolder: string | null;
  /** Returns the tree of the files in it; null if this drive did not make the copy. */
  readonly copiedTree: () => string | null;
  /** Resolves when every file is in it. */
  readonly copyIsWhole: () => Promise<void>;
  /** Reports once who takes part, and prepares the review folder. */
  introduce(): Promise<ReviewIntroduction['advisor']>;
}

export interface ReviewEnding extends DriveEnding {
  readonly cancelled: boolean;
  readonly output: ReviewOutput;
}

/** Runs the machine from its first state; the results of an earlier drive are read from the records. */
export function runReviewMachine(
  context: RunContext,
  drive: ReviewDrive,
  cancelled: AbortSignal,
): Promise<ReviewEnding> {
  const refusals = { any: false };
  const actor = createActor(provideActors(context, drive, refusals), {
    input: {
      path: 'review',
      made: null,
      ...pick(drive.input.settings, ['budgets', 'chunk_tokens', 'concurrency', 'effort']),
      secondOpinion: secondOpinionWay(drive),
    },
  });
  return runMachine<ReviewOutput, ReviewEnding>(actor, context, cancelled, {
    done: (output) => ({ cancelled: false, output, final: !refusals.any }),
    cancelled: () => ({ cancelled: true, output: reviewOutput(actor.getSnapshot().context), final: true }),
  });
}

function provideActors(context: RunContext, drive: ReviewDrive, refusals: { any: boolean }) {
  const onRefusal = () => {
    refusals.any = true;
  };
  let byRules: RuleReport | null = null;
  const exchange = provideExchange(context, drive, {
    requestForAgent: (request) => withFindings(request, drive.input, byRules),
    onRefusal,
    recall: openRecall(drive),
  });
  return reviewMachine.provide({
    actors: {
      count: fromPromise<CountedChange, ReviewScope>(({ input: { path } }) =>
        context.child(path, (scope) => count(scope, drive)),
      ),
      plan: fromPromise<RuleReport, PlanInput>(async ({ input }) => {
        byRules = await planReview(context, { ...drive, examined: drive.input.examined ?? null }, input);
        return byRules;
      }),
      search: fromPromise<SearchOutput, SearchInput>(({ input }) =>
        searchCopy(context, { folder: drive.reviewFolder, whole: () => wholeCopy(drive) }, input),
      ),
      report: fromPromise<null, ReportInput>(({ input: { path, made: _made, ...output } }) => {
        // No more questions follow; closing takes as long as writing the remaining records.
        void drive.advisor.close();
        return context.child(path, (scope) =>
          reportReview(scope, drive, { cancelled: false, output, final: !refusals.any }),
        );
      }),
      exchange,
      verify: provideVerify(context, drive, onRefusal),
    },
  });
}

async function wholeCopy(drive: Pick<ReviewDrive, 'introduce' | 'copyIsWhole'>): Promise<void> {
  await drive.introduce();
  await drive.copyIsWhole();
}

/** The step contains the digest of all outside input: `input.json` cannot change during a run. */
async function count(scope: RunContext, drive: ReviewDrive) {
  const value = { diff: sha256(drive.input.change.diff), reviewable: drive.change.counted.files.length };
  await scope.step('census', { input: digestOf(drive.everywhere) }, async () => ({ value }), {
    repeatable: true,
  });
  return { ...drive.change.counted, known: knownFindings(drive.input) };
}

/** Runs the rules while the advisor starts. */
export async function planReview(
  context: RunContext,
  drive: Pick<ReviewDrive, 'introduce' | 'met'> & ExaminedDrive,
  input: PlanInput,
): Promise<RuleReport> {
  const [byRules] = await Promise.all([
    examineChunks(context, drive, input),
    context.child(input.path, (scope) => meetAdvisor(scope, drive, input)),
  ]);
  return byRules;
}

async function meetAdvisor(
  scope: RunContext,
  drive: Pick<ReviewDrive, 'introduce' | 'met'>,
  { counted, chunks, lenses }: PlanInput,
): Promise<void> {
  const planned: EventBody = {
    type: 'review.planned',
    files: counted.census.filesChanged,
    lines: countLines(changedLinesOf(counted.files)),
    skipped: counted.census.files.flatMap(({ path, skipped }) =>
      skipped === null ? [] : [{ path, reason: skipped.reason }],
    ),
    chunks: chunks.map((chunk) => ({
      name: chunk.name,
      paths: chunk.files.map((file) => file.path),
      estimated_tokens: chunk.estimatedTokens,
      lines: countLines(changedLinesOf(chunk.files)),
    })),
    ...(lenses === null ? {} : { lenses: [...lenses] }),
  };
  const meet = async (attempt: StepAttempt) => {
    const advisor = await drive.introduce();
    attempt.emit(planned);
    if (advisor === null) return { value: null };
    if ('kind' in advisor) return { value: null, remember: isRemembered(advisor) };
    const { model, version, edition } = advisor;
    return { value: { model, version, ...(edition === undefined ? {} : { edition }) } };
  };
  drive.met.advisor = await scope.step<MetAgent | null>('plan', { planned }, meet, { repeatable: true });
}

/** Not remembered if a later drive may produce a different report. */
export function reportReview(scope: RunContext, drive: DecidingDrive, ending: ReviewEnding): Promise<null> {
  const events = reportEvents(drive, ending);
  const report = async (attempt: StepAttempt) => {
    for (const event of events) attempt.emit(event);
    return { value: null, remember: ending.final };
  };
  return scope.step('report', { events: digestOf(events) }, report, { repeatable: true });
}
