import {
  answerOf,
  eventStreamHeaders,
  followFrames,
  type ConnectionState,
  type Taken,
  type Unreachable,
} from './follow-frames.ts';
import { numberOf, type StreamFrame } from './read-frames.ts';
import { parseJson } from '../text/parse-json.ts';
import { hasFields } from './read-json.ts';
import { errorOfResponse } from './refusal.ts';
import type { AskInit } from './request.ts';
import type { CollabEvent } from './run-events.ts';
import { sleep as sleepFor, type Sleep } from './sleep.ts';

export interface FollowRunOptions {
  /** Stops reading. */
  readonly signal: AbortSignal;
  /** The number of the event to start after; 0 by default. */
  readonly after?: number;
  readonly onConnection?: (state: ConnectionState) => void;
  readonly sleep?: Sleep;
}

/**
 * Yields a run's events, each once and in order; ends after `run.ended`, or when the server has delivered all existing
 * events.
 */
export async function* followRun(
  ask: (query: string, init: AskInit) => Promise<Response>,
  { signal, after = 0, onConnection, sleep = sleepFor }: FollowRunOptions,
): AsyncGenerator<CollabEvent> {
  let lastSeq = after;

  async function connect(_isFirst: boolean, connecting: AbortSignal): Promise<Response | Unreachable> {
    const init = { headers: eventStreamHeaders, signal: connecting };
    const response = await answerOf(() => ask(`?after=${lastSeq}`, init));
    if ('ok' in response && !response.ok) throw await errorOfResponse(response);
    return response;
  }

  function take(frame: StreamFrame): Taken<CollabEvent> {
    const value = parseJson(frame.data);
    const seq = hasFields(value, { seq: 'number' }) ? Number(value['seq']) : numberOf(frame);
    if (seq === null || seq <= lastSeq) return { kind: 'skipped' };
    if (seq > lastSeq + 1) return { kind: 'gap' };
    lastSeq = seq;
    // An event that cannot be read is skipped; those after it are read.
    if (!isCollabEvent(value)) return { kind: 'taken', value: null, isProgress: true, isLast: false };
    return { kind: 'taken', value, isProgress: true, isLast: value.type === 'run.ended' };
  }

  try {
    yield* followFrames({ connect, take, signal, sleep, onConnection });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Checks the fields that all events share; callers ignore types they do not know. */
function isCollabEvent(value: unknown): value is CollabEvent {
  return hasFields(value, { seq: 'number', type: 'string', ts: 'string', agent: 'record', turn: 'number' });
}
