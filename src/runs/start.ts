/**
 * The only door through which a run starts: a request and its speaker become a run folder. The configuration, the change and
 * the texts that the request names are read here, once, after the table of permissions has allowed the request.
 */
import type { ReportFormat } from '../views/reports/report-formats.ts';
import { CollabError, isRefusal } from '../errors/collab-error.ts';
import type { Baseline } from '../review/findings/baseline.ts';
import type { Earlier } from './consult/earlier-answers.ts';
import type { EarlyStates } from '../git/change/early-states.ts';
import type { SharedView } from '../git/repository/shared-view.ts';
import type { Engine } from './engine/engine.ts';
import type { OpenedRun } from './folder/opened-run.ts';
import type { ConsultRunInput, WorkflowRunInput } from './folder/run-input.ts';
import type { PreparedChange, ReviewOptions } from './review/prepare.ts';
import type { EarlyRun } from './review/early-agent.ts';
import type { SettledChange } from './start/change-request.ts';
import { checkRequest } from './start/check-request.ts';
import type { StartPlace } from './start/start-place.ts';
import type {
  ConsultStart,
  FixStart,
  ReviewStart,
  StartRequest,
  WorkflowStart,
} from './start/start-request.ts';

export interface StartedRun extends OpenedRun {
  /** The format of the configuration for standard output. */
  readonly format: ReportFormat;
}

export interface StartedReview extends StartedRun {
  /** The agent that started while the change was read; null if another process drives the run. */
  readonly early: EarlyRun | null;
}

/** Starts a run that another process or a later call drives. @throws CollabError as the function of its kind */
export async function startRequested(request: StartRequest, place: StartPlace): Promise<StartedRun> {
  switch (request.kind) {
    case 'review':
      return withReview(request, place, (options) => startReview(options, place));
    case 'run':
      return startWorkflow(request, place);
    case 'fix':
      return startFix(request, place);
    case 'consult':
      return startConsult(request, place);
  }
}

export interface ReviewHooks {
  /** True if this process drives the run: then its agent starts while the change is read. */
  readonly drivesHere?: boolean;
  /** Called when the advisor's program and git have started and none has answered: there is time to load code. */
  readonly onBegun?: () => void;
}

/**
 * Gives `use` everything of a review except its change and its agents, as `--plan` needs it. The view of the repository in it is
 * closed afterward.
 *
 * @throws CollabError `forbidden`, `usage`, `config`, `input`, `range`, `result_file`, `cli_missing`
 */
export async function withReview<Result>(
  request: ReviewStart,
  place: StartPlace,
  use: (options: ReviewOptions) => Promise<Result>,
  { drivesHere = false, onBegun }: ReviewHooks = {},
): Promise<Result> {
  checkRequest(request, place);
  const { createSharedView } = await import('../git/repository/shared-view.ts');
  const view = createSharedView();
  let early: EarlyRun | null = null;
  try {
    const named = await nameChange(request, { ...place, view });
    early = drivesHere ? await beginEarly(request, place) : null;
    onBegun?.();
    return await use({ ...(await settleReview(request, { ...place, view }, named)), early });
  } catch (error) {
    await early?.giveUp();
    throw error;
  } finally {
    await view.close();
  }
}

/** Starts the advisor's program before the settings are read: it needs as much time as the rest. */
async function beginEarly(request: ReviewStart, place: StartPlace): Promise<EarlyRun | null> {
  const [{ guessAdvisor }, { createEarlyRun }] = await Promise.all([
    import('./start/guess-advisor.ts'),
    import('./review/early-agent.ts'),
  ]);
  const guess = await guessAdvisor(request, place);
  const early = createEarlyRun(place);
  if (guess !== null) await early.warmUp(guess);
  return early;
}

/** Git reads the change while the advisor starts and the settings are read. */
async function nameChange(request: ReviewStart, place: ViewedPlace): Promise<NamedStates> {
  const [{ settleChange }, { beginStates }, reader] = await Promise.all([
    import('./start/change-request.ts'),
    import('../git/change/early-states.ts'),
    materialReader(request),
  ]);
  reader?.refuseInputTwice(request);
  const settled = await settleChange(request, place);
  return { ...settled, reader, states: beginStates(settled.change, place) };
}

type ViewedPlace = StartPlace & { readonly view: SharedView };

interface NamedStates extends SettledChange {
  readonly reader: Awaited<ReturnType<typeof materialReader>>;
  readonly states: EarlyStates | null;
}

async function settleReview(
  request: ReviewStart,
  place: ViewedPlace,
  { reader, states, ...settled }: NamedStates,
): Promise<ReviewOptions> {
  const [{ mergeSettings }, { chooseReviewLead }] = await Promise.all([
    import('./start/merge-settings.ts'),
    import('./start/review-lead.ts'),
  ]);
  const { change } = settled;
  const shown = await (reader ?? (await materialReader(request, settled)))?.readMaterial(
    request,
    settled,
    place,
  );
  const merged = await mergeSettings({ request, place, change });
  const notes = [...settled.notes, ...merged.notes];
  const lead = await chooseReviewLead(request, merged);
  const baseline = await baselineOf(request, place);
  return { ...merged, ...shown, notes, change, view: place.view, states, lead, baseline };
}

/** Most requests name none: then its parsers are not loaded. */
async function materialReader(
  { pr_text, evidence, imports }: ReviewStart,
  { pullRequest }: Pick<SettledChange, 'pullRequest'> = { pullRequest: null },
) {
  const isNamed = pr_text !== undefined || evidence !== undefined || imports !== undefined;
  if (!isNamed && pullRequest === null) return null;
  return import('./start/read-material.ts');
}

async function baselineOf({ baseline }: ReviewStart, place: StartPlace): Promise<Baseline | null> {
  if (baseline === undefined) return null;
  return (await import('./start/read-baseline.ts')).readBaseline(place, baseline);
}

/** @throws CollabError `forbidden`, `input`, `empty_input`, `range`, `usage`, `cli_missing`, `auth`, `options` */
export async function startReview(
  options: ReviewOptions,
  place: StartPlace,
  { drivesHere = false }: Pick<ReviewHooks, 'drivesHere'> = {},
): Promise<StartedReview> {
  // Loads the run's code while git and the advisor's program work, not before they start.
  const [{ takeInput }, { beginOrGiveUp, createEarlyRun }] = await Promise.all([
    import('./review/prepare-early.ts'),
    import('./review/early-agent.ts'),
  ]);
  const early = options.early ?? (drivesHere ? createEarlyRun(options) : null);
  const { input, change } = await takeInput(options, {
    early,
    onRefusal: (error, prepared) => refuseReview(error, options, prepared),
  });
  const run = await beginOrGiveUp(early, async () => {
    place.signal.throwIfAborted();
    const { createRun } = await import('./start/create-run.ts');
    return createRun(input, { ...place, change, runId: early?.runId });
  });
  return { ...run, early, format: options.settings.format };
}

/** No advisor can run: writes "failed" to the report files, so that an earlier report is not taken for this one. */
export async function refuseReview(
  error: unknown,
  options: ReviewOptions,
  prepared: PreparedChange,
): Promise<never> {
  if (error instanceof CollabError && error.code !== 'cancelled' && !isRefusal(error.code)) {
    const { reportRefusal } = await import('./review/result.ts');
    await reportRefusal({ prepared, options, error });
  }
  throw error;
}

/** @throws CollabError `forbidden`, `usage`, `config`, `input`, `empty_input`, `cli_missing`, `auth`, `options` */
export async function startWorkflow(request: WorkflowStart, place: StartPlace): Promise<StartedRun> {
  const { input, format } = await takeWorkflow(request, place);
  const { createRun } = await import('./start/create-run.ts');
  return { ...(await createRun(input, place)), format };
}

export interface TakenWorkflow {
  readonly input: WorkflowRunInput;
  readonly format: ReportFormat;
}

/** @throws CollabError as `startWorkflow` */
export async function takeWorkflow(request: WorkflowStart, place: StartPlace): Promise<TakenWorkflow> {
  checkRequest(request, place);
  const [{ mergeSettings }, { readTask }, { prepareWorkflow }] = await Promise.all([
    import('./start/merge-settings.ts'),
    import('./start/read-words.ts'),
    import('./workflow/prepare.ts'),
  ]);
  const { askedLead, ...merged } = await mergeSettings({ request, place, change: null });
  const { defaults = {} } = place;
  const input = await prepareWorkflow({
    ...merged,
    task: await readTask(request, place),
    lead: askedLead ?? 'auto',
    skill: request.skill ?? defaults.skill ?? null,
    phases: request.phases ?? null,
    maxReviewRounds: request.max_review_rounds ?? null,
    gates: request.yes === true ? 'accept' : 'ask',
    apply: request.apply === true,
  });
  place.signal.throwIfAborted();
  return { input, format: merged.settings.format };
}

/** @throws CollabError `forbidden`, `usage`, `config`, `input`, `run_not_found`, `cli_missing`, `auth`, `options` */
export async function startFix(request: FixStart, place: StartPlace): Promise<StartedRun> {
  checkRequest(request, place);
  const [{ mergeSettings }, { findingsToFix }, { prepareFix }, { createRun }] = await Promise.all([
    import('./start/merge-settings.ts'),
    import('./start/findings-to-fix.ts'),
    import('./workflow/prepare-fix.ts'),
    import('./start/create-run.ts'),
  ]);
  const chosen = await findingsToFix(request, place);
  const { askedLead, ...merged } = await mergeSettings({ request, place, change: null });
  const input = await prepareFix({
    ...merged,
    ...chosen,
    lead: askedLead ?? 'auto',
    maxReviewRounds: request.max_review_rounds ?? null,
    gates: request.yes === true ? 'accept' : 'ask',
    apply: request.apply === true,
  });
  place.signal.throwIfAborted();
  return { ...(await createRun(input, place)), format: merged.settings.format };
}

/** @throws CollabError `forbidden`, `usage`, `config`, `input`, `empty_input`, `run_not_found`, `cli_missing`, `auth` */
export async function startConsult(request: ConsultStart, place: StartPlace): Promise<StartedRun> {
  const { inputOf, format } = await takeConsult(request, place);
  const { createRun } = await import('./start/create-run.ts');
  return { ...(await createRun(({ runId }) => inputOf(runId), place)), format };
}

export interface TakenConsult {
  /** Returns the input of the run with this id. */
  readonly inputOf: (runId: string) => ConsultRunInput;
  readonly format: ReportFormat;
}

/** `engine`: has the conversation that the request names; default: the embedded one. @throws CollabError as `startConsult` */
export async function takeConsult(
  request: ConsultStart,
  place: StartPlace,
  engine?: Engine,
): Promise<TakenConsult> {
  checkRequest(request, place);
  const [{ mergeSettings }, { readBrief }, { prepareConsult }] = await Promise.all([
    import('./start/merge-settings.ts'),
    import('./start/read-words.ts'),
    import('./consult/prepare.ts'),
  ]);
  const merged = await mergeSettings({ request, place, change: null });
  const inputOf = await prepareConsult({
    ...merged,
    phase: request.phase,
    earlier: await earlierOf(request, place, engine),
    brief: await readBrief(request, place),
    lead: { provider: request.ask === true ? 'user' : 'caller', model: null, chosenBy: 'auto' },
  });
  place.signal.throwIfAborted();
  return { inputOf, format: merged.settings.format };
}

async function earlierOf(
  { run }: ConsultStart,
  { home, clock, env }: StartPlace,
  engine: Engine | undefined,
): Promise<Earlier | null> {
  if (run === undefined) return null;
  const [{ readEarlier }, { openEngine }] = await Promise.all([
    import('./consult/earlier-answers.ts'),
    import('./engine/open-engine.ts'),
  ]);
  return readEarlier(engine ?? openEngine({ clock, env }), home, run);
}
