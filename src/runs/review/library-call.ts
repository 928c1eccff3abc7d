/** A review as a library call: its events as they happen, and its result. */
import { z } from 'zod';
import { defaultSettings } from '../../config/settings-table.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { takeBaseline } from '../../review/findings/baseline.ts';
import { createEventQueue } from '../../providers/client/event-queue.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { systemClock } from '../../system/clock.ts';
import { driveEarly } from './early-agent.ts';
import { collabHome } from '../folder/run-folder.ts';
import { reviewSettingsSchema, type ReviewSettings } from '../folder/run-input.ts';
import { startSettings } from '../folder/run-settings.ts';
import { continueRun } from '../continue-run.ts';
import { startReview } from '../start.ts';

export interface ReviewCall {
  /** The change under review; default: the working tree of `cwd`. */
  readonly change?: ChangeRequest;
  /** Default: `process.cwd()`. The run is kept in its `.collab`. */
  readonly cwd?: string;
  /** Default: `process.env`. Agents get an allow-list of it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `auto` (the default), `codex`, `static_review`, `rehearsal:<script.yaml>`. */
  readonly advisor?: string;
  /** Settings that differ from the defaults of `collab review`. */
  readonly settings?: Partial<ReviewSettings>;
  /** An earlier result: its findings are known, and only new ones count. */
  readonly baseline?: ReviewResult;
  /** Settings by provider, such as `{ codex: { path: '/opt/codex/bin/codex' } }`. */
  readonly providers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Interrupts the run; `collab resume` continues it. */
  readonly signal?: AbortSignal;
}

export interface RunningReview extends AsyncIterable<CollabEvent> {
  /**
   * Resolves when the review has ended. Rejects with a `CollabError`: `usage` for wrong settings or an unknown advisor,
   * `result_file` for an invalid baseline, `input`, `empty_input`, `range` if there is nothing to review, `cli_missing`
   * or `auth` if no advisor is available, `state_folder` if there is no private folder, `cancelled` if it was aborted.
   */
  readonly result: Promise<ReviewResult>;
  /** Interrupts the run. Safe to call twice. */
  readonly abort: () => void;
}

/**
 * Starts a review. Its events can be read once, or not at all; the iteration ends with the review, and throws if
 * `result` rejects.
 */
export function review(call: ReviewCall = {}): RunningReview {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, ...(call.signal === undefined ? [] : [call.signal])]);
  const events = createEventQueue<CollabEvent>();
  const result = run(call, signal, (event) => events.push(event)).catch((error: unknown) => {
    throw signal.aborted ? cancelled(error) : error;
  });
  const end = (): void => events.end();
  result.then(end, end);
  return {
    result,
    abort: () => controller.abort(),
    async *[Symbol.asyncIterator]() {
      yield* events.items();
      await result;
    },
  };
}

async function run(
  call: ReviewCall,
  signal: AbortSignal,
  onEvent: (event: CollabEvent) => void,
): Promise<ReviewResult> {
  const { cwd = process.cwd(), env = process.env, change = { kind: 'working_tree' } } = call;
  const clock = systemClock;
  const options = {
    cwd,
    env,
    change,
    settings: {
      ...startSettings(defaultSettings),
      ...checked({ instructions: null, ...call.settings }),
      advisor: call.advisor ?? defaultSettings.advisor,
    },
    configuredAdvisor: null,
    providerSettings: call.providers ?? {},
    reports: [],
    baseline: call.baseline === undefined ? null : takeBaseline(call.baseline, 'baseline'),
    signal,
    clock,
  };
  const place = { home: collabHome({ cwd, env }), cwd, env, clock, signal };
  const started = await startReview(options, place, { drivesHere: true });
  const { runId, path: runFolder } = started;
  const driving = { runFolder, runId, opened: started, env, clock, signal, onEvent };
  const departure = await driveEarly(started.early, () => continueRun(driving));
  if (departure.kind === 'settled' && departure.result.schema === 'collab.review/v1') return departure.result;
  throw new CollabError('cancelled', `the review ${runId} was interrupted`, {
    hint: `collab resume ${runId}`,
  });
}

/** Reports wrong settings of an untyped caller before the review starts. */
function checked(settings: Partial<ReviewSettings>): ReviewSettings {
  const parsed = z.strictObject(reviewSettingsSchema.shape).safeParse(settings);
  if (parsed.success) return parsed.data;
  throw new CollabError('usage', `settings: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ')}`);
}

function cancelled(error: unknown): CollabError {
  if (error instanceof CollabError && error.code === 'cancelled') return error;
  return new CollabError('cancelled', 'the review was aborted before it started', { cause: error });
}
