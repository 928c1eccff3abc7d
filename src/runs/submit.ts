/** Starts runs that a process of the engine drives: the input is made here, and everything that it needs travels with it. */
import { CollabError } from '../errors/collab-error.ts';
import { caller } from './agents/lead-choice.ts';
import type { ReportFormat } from '../views/reports/report-formats.ts';
import type { SummaryOptions } from '../views/reports/summary.ts';
import type { Priority } from '../tags/priorities.ts';
import type { Engine, RunOwner } from './engine/engine.ts';
import { openRun, type OpenedRun } from './folder/opened-run.ts';
import type { RunResult } from './folder/result-file.ts';
import type { RunInput, WorkflowRunInput } from './folder/run-input.ts';
import { newRunId } from './folder/run-folder.ts';
import type { ReadChange } from './review/read-change.ts';
import type { ReviewOptions } from './review/prepare.ts';
import { refuseReview, takeConsult, takeWorkflow } from './start.ts';
import { checkStart } from './start/create-run.ts';
import type { StartPlace } from './start/start-place.ts';
import type { ConsultStart, WorkflowStart } from './start/start-request.ts';
import { repositoryName } from '../config/load-config.ts';

export interface SubmittedRun {
  readonly run: OpenedRun;
  /** Writes the report files that the request names: on this machine, whichever one drove the run. */
  readonly report: (result: RunResult, options: SummaryOptions) => Promise<void>;
  /** The format of the configuration for standard output. */
  readonly format: ReportFormat;
}

/** The owner and the place in the queue of a run that is submitted. */
export interface Submission {
  readonly owner?: RunOwner;
  readonly priority?: Priority | undefined;
}

/** @throws CollabError as `startReview`, and `network`, `queue_full` */
export async function submitReview(
  options: ReviewOptions,
  place: StartPlace,
  engine: Pick<Engine, 'start'>,
  submission: Submission = {},
): Promise<SubmittedRun> {
  const { takeInput } = await import('./review/prepare-early.ts');
  const { input, change } = await takeInput(options, {
    onRefusal: (error, prepared) => refuseReview(error, options, prepared),
  });
  const runId = newRunId(place.clock);
  const run = await submit({ runId, input, change }, place, engine, submission);
  return {
    run,
    report: (result, shown) => writeReportsOf(input, result, shown),
    format: options.settings.format,
  };
}

/** @throws CollabError as `startConsult`, and `network`, `locked`, `queue_full` */
export async function submitConsult(
  request: ConsultStart,
  place: StartPlace,
  engine: Engine,
  submission: Submission = {},
): Promise<SubmittedRun> {
  const { inputOf, format } = await takeConsult(request, place, engine);
  const runId = newRunId(place.clock);
  const run = await submit({ runId, input: inputOf(runId) }, place, engine, submission);
  // A consult has no report files.
  return { run, report: () => Promise.resolve(), format };
}

/** @throws CollabError as `startWorkflow`, `usage` for what cannot travel, and `network`, `queue_full` */
export async function submitWorkflow(
  request: WorkflowStart,
  place: StartPlace,
  engine: Pick<Engine, 'start'>,
  submission: Submission = {},
): Promise<SubmittedRun> {
  refuseApply(request);
  const { input, format } = await takeWorkflow(request, place);
  refuseCaller(input);
  const run = await submit({ runId: newRunId(place.clock), input }, place, engine, submission);
  return { run, report: (result, shown) => writeReportsOf(input, result, shown), format };
}

function refuseApply({ apply }: WorkflowStart): void {
  if (apply !== true) return;
  throw new CollabError('usage', 'A worker cannot change your files: --apply is for a run on this machine', {
    hint: 'Leave --apply out; collab apply <run> --remote applies the edits when the run has ended.',
  });
}

function refuseCaller({ lead }: WorkflowRunInput): void {
  if (lead.provider !== caller) return;
  throw new CollabError(
    'usage',
    'The caller cannot lead a run on another machine: it edits files of this one',
    {
      hint: 'Name a lead that the workers have: --lead claude_code',
    },
  );
}

interface NewInput {
  readonly runId: string;
  readonly input: RunInput;
  /** The change under review, if it is at hand. */
  readonly change?: ReadChange;
}

async function submit(
  { runId, input, change }: NewInput,
  place: StartPlace,
  engine: Pick<Engine, 'start'>,
  { owner, priority = 'person' }: Submission,
): Promise<OpenedRun> {
  await checkStart(input, place);
  place.signal.throwIfAborted();
  const { home, cwd, signal, repository = repositoryName(cwd) } = place;
  const owned = owner === undefined ? {} : { owner };
  const found = await engine.start(home, { runId, input, repository, priority, signal, ...owned });
  return openRun(found, { input, change });
}

async function writeReportsOf(
  { reports }: RunInput,
  result: RunResult,
  options: SummaryOptions,
): Promise<void> {
  const { writeReports } = await import('./folder/report-files.ts');
  if (result.schema === 'collab.review/v1') await writeReports(reports, result, options);
}
