/** A review as a library call: its events as they happen, and its result. */
import { z } from 'zod';
import { defaultSettings } from '../../config/settings.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { takeBaseline } from '../../review/findings/baseline.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { systemClock } from '../../system/clock.ts';
import { beginRun, createEarlyRun, driveEarly } from './early-agent.ts';
import { collabHome, createRunFolder } from '../folder/run-folder.ts';
import { reviewSettingsSchema, writeRunInput, type ReviewSettings } from '../folder/run-input.ts';
import { driveReview } from './drive.ts';
import { toReviewSettings } from '../folder/run-settings.ts';
import { withTranscript } from '../folder/with-transcript.ts';
import { takeInput } from './prepare-early.ts';

export interface ReviewCall {
  /** What is reviewed; default: the working tree of `cwd`. */
  readonly change?: ChangeRequest;
  /** Default: `process.cwd()`. The run lies in its `.collab`. */
  readonly cwd?: string;
  /** Default: `process.env`. Agents get an allow-list of it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `auto` (the default), `codex`, `static_review`, `rehearsal:<script.yaml>`. */
  readonly advisor?: string;
  /** What differs from the defaults of `collab review`. */
  readonly settings?: Partial<ReviewSettings>;
  /** An earlier result: what it lists is still there, and only what is new counts. */
  readonly baseline?: ReviewResult;
  /** By provider, such as `{ codex: { path: '/opt/codex/bin/codex' } }`. */
  readonly providers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Interrupts the run; `collab resume` goes on with it. */
  readonly signal?: AbortSignal;
}

export interface RunningReview extends AsyncIterable<CollabEvent> {
  /**
   * Settles when the review has ended. Rejects with a `CollabError`: `usage` for wrong settings or an unknown advisor,
   * `result_file` for a baseline that is none, `input`,
   * `empty_input`, `range` where there is nothing to review, `cli_missing` or `auth` where nobody can advise, `state_folder`
   * where there is no private folder, `cancelled` where it was aborted.
   */
  readonly result: Promise<ReviewResult>;
  /** Interrupts the run. Safe to call twice. */
  readonly abort: () => void;
}

/**
 * Starts a review. Its events can be read once, or not at all; the reading ends with the review, and by an error where
 * `result` rejects.
 */
export function review(call: ReviewCall = {}): RunningReview {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, ...(call.signal === undefined ? [] : [call.signal])]);
  const events = createEventQueue();
  const result = run(call, signal, events.push).catch((error: unknown) => {
    throw signal.aborted ? cancelled(error) : error;
  });
  result.then(
    () => events.end(null),
    (cause: unknown) => events.end({ cause }),
  );
  return { result, abort: () => controller.abort(), [Symbol.asyncIterator]: events.read };
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
    settings: checked({ ...toReviewSettings(defaultSettings, null), ...call.settings }),
    advisor: call.advisor ?? 'auto',
    configuredAdvisor: null,
    providerSettings: call.providers ?? {},
    allowStatic: false,
    allowEmpty: false,
    reports: [],
    baseline: call.baseline === undefined ? null : takeBaseline(call.baseline, 'baseline'),
    signal,
    clock,
  };
  const early = createEarlyRun(options);
  const input = await takeInput(options, { early });
  const { runId, path: runFolder } = await beginRun(early, async () => {
    signal.throwIfAborted();
    const found = createRunFolder(collabHome({ cwd, env }), clock, early.runId);
    writeRunInput(found.path, input);
    return found;
  });
  const departure = await driveEarly(early, () =>
    withTranscript({ runFolder, runId, env, clock, signal, onEvent }, driveReview),
  );
  if (departure.kind === 'settled') return departure.result;
  throw new CollabError('cancelled', `the review ${runId} was interrupted`, {
    hint: `collab resume ${runId}`,
  });
}

/** A caller without types is told what is wrong before anything is begun. */
function checked(settings: ReviewSettings): ReviewSettings {
  const parsed = z.strictObject(reviewSettingsSchema.shape).safeParse(settings);
  if (parsed.success) return parsed.data;
  throw new CollabError('usage', `settings: ${z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ')}`);
}

function cancelled(error: unknown): CollabError {
  if (error instanceof CollabError && error.code === 'cancelled') return error;
  return new CollabError('cancelled', 'the review was aborted before it began', { cause: error });
}

interface EventQueue {
  readonly push: (event: CollabEvent) => void;
  /** With what the reading ends by; null where it just ends. */
  readonly end: (failure: { readonly cause: unknown } | null) => void;
  readonly read: () => AsyncGenerator<CollabEvent, void, void>;
}

function createEventQueue(): EventQueue {
  const waiting: CollabEvent[] = [];
  let ended: { readonly failure: { readonly cause: unknown } | null } | null = null;
  let wake: (() => void) | null = null;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  return {
    push: (event) => {
      waiting.push(event);
      wake?.();
    },
    end: (failure) => {
      ended = { failure };
      wake?.();
    },
    async *read() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (ended?.failure) throw ended.failure.cause;
        if (ended !== null) return;
        await next();
      }
    },
  };
}
