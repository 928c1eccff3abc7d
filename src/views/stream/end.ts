import type { CollabEvent, ErrorKind } from '../../events/collab-event.ts';
import { contextAfter } from '../../events/model-calls.ts';
import { contextStatus } from './context.ts';
import type { DoneEventData } from './event.ts';
import { createStreamingFaults, refuses, type StreamingFault } from './fault.ts';
import { createFinalText } from './final-text.ts';
import type { Saying, SpeakerId } from './pending-event.ts';
import { createStreamingUsage } from './usage.ts';
import type { StreamingWords } from './phrases.ts';

export interface RunEnding {
  readonly status: 'success' | 'error' | 'cancelled';
  readonly result: string | null;
  readonly errors: readonly string[];
  readonly duration_ms: number;
  /** The kind of a failure that no event reported. */
  readonly kind?: ErrorKind | undefined;
}

export interface StreamingEndOptions {
  readonly words: StreamingWords;
  readonly contextLength: (model: string) => number | null;
}

export function createStreamingEnd({ words, contextLength }: StreamingEndOptions) {
  const usage = createStreamingUsage();
  const faults = createStreamingFaults(words);
  const finalText = createFinalText();
  let turns = 0;
  let turnCompleted = false;
  let tokens: number | null = null;
  let max: number | null = null;
  let requestedModel = '';

  function noteMain(event: CollabEvent): void {
    finalText.note(event);
    if (event.type === 'turn.started') turns += 1;
    if (event.type === 'turn.ended') turnCompleted = true;
    if (event.type === 'context') ({ tokens, max } = event);
  }

  /** Returns nothing if the context is unknown or needs no report (X002-4, X002-6). */
  function contextSaying(): readonly Saying[] {
    if (!turnCompleted || tokens === null || max === null) return [];
    const status = contextStatus({ tokens, max }, words);
    return [(base) => ({ event: 'context_status', data: { ...base, ...status } })];
  }

  function done(ending: RunEnding, fault: StreamingFault | null): Omit<DoneEventData, 'seq' | 'timestamp'> {
    return {
      status: ending.status,
      result: finalText.current() ?? ending.result,
      is_error: fault !== null,
      errors: fault === null ? null : [fault.message],
      ...usage.current(),
      turn_count: turns,
      duration_ms: ending.duration_ms,
    };
  }

  return {
    note(event: CollabEvent, speaker: SpeakerId): void {
      faults.note(event);
      if (event.type === 'run.started') requestedModel = event.model ?? '';
      const call = usage.add(event);
      if (speaker !== undefined && event.type !== 'step.abandoned') return;
      if (call !== null) {
        tokens = contextAfter(call);
        // A vendor may name the version that answers instead of the requested alias.
        max = contextLength(call.model) ?? contextLength(requestedModel) ?? max;
      }
      noteMain(event);
    },
    /** Returns true if the run failed before it had a session: it never opened. */
    isRefused: (ending: RunEnding): boolean =>
      ending.status === 'error' && refuses(faults.of(ending).error_type),
    /** Returns `error` or `context_status`, then `done` (R002-27). */
    sayings(ending: RunEnding, sessionId: string | null): readonly Saying[] {
      const fault = ending.status === 'error' ? faults.of(ending) : null;
      const session = sessionId === null ? {} : { session_id: sessionId };
      const data = { ...done(ending, fault), ...session };
      return [
        ...(fault === null ? contextSaying() : [errorSaying(fault)]),
        (base) => ({ event: 'done', data: { ...base, ...data } }),
      ];
    },
  };
}

function errorSaying(fault: StreamingFault): Saying {
  return (base) => ({ event: 'error', data: { ...base, ...fault } });
}
