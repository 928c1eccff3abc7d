import { answerOf, followFrames, type ConnectionState, type Taken } from './follow-frames.ts';
import type { StreamFrame } from './read-frames.ts';
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

/** Yields a run's events, each once and in order; ends after `run.ended`, or when the server has delivered all there is. */
export async function* followRun(
  ask: (query: string, init: AskInit) => Promise<Response>,
  { signal, after = 0, onConnection, sleep = sleepFor }: FollowRunOptions,
): AsyncGenerator<CollabEvent> {
  let lastSeq = after;

  async function connect(_isFirst: boolean, connecting: AbortSignal): Promise<Response | null> {
    const response = await answerOf(() => ask(`?after=${lastSeq}`, { signal: connecting }));
    if (response?.ok === false) throw await errorOfResponse(response);
    return response;
  }

  function take({ data }: StreamFrame): Taken<CollabEvent> {
    const value = parseJson(data);
    if (!isCollabEvent(value) || value.seq <= lastSeq) return { kind: 'skipped' };
    if (value.seq > lastSeq + 1) return { kind: 'gap' };
    lastSeq = value.seq;
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
