/** Listens to one turn: passes on its events, refuses the server's requests, and keeps the data for the result. */
import type { EventBody, Usage } from '../../../events/collab-event.ts';
import { Deferred } from '../../../system/deferred.ts';
import type { CodexConnection } from '../launch/connect.ts';
import type { CodexMessage } from './final-answer.ts';
import { isAboutWebSocket } from './errors.ts';
import { createRequestFollower } from './follow-requests.ts';
import { refuseRequest } from './refuse-requests.ts';
import type { ThreadMessage } from './rpc.ts';
import { createCodexEvents } from './to-events.ts';
import type { TurnWatch } from '../../program/turn-watch.ts';
import { readNotification, type WireError, type WireNotification } from './wire.ts';

export type HeardEnd =
  | { readonly kind: 'completed'; readonly status: string; readonly error: WireError | null }
  /** The first notice that Codex is about to repeat the request by itself. */
  | { readonly kind: 'retrying'; readonly turnId: string; readonly error: WireError };

export interface CodexTurnHearing {
  /** Resolves with the turn's end or the first notice of a repeat, whichever is earlier. */
  readonly ended: Promise<HeardEnd>;
  /** Resolves with the turn's end only. */
  readonly completed: Promise<void>;
  messages(): readonly CodexMessage[];
  usage(): Usage | null;
  /** Emits the turn's last events; no event follows. */
  close(stopReason: string | null, error: EventBody | null): void;
  unsubscribe(): void;
}

export interface CodexHearOptions {
  readonly connection: CodexConnection;
  readonly threadId: string;
  readonly model: string | null;
  readonly watch: TurnWatch;
  readonly emit: (event: EventBody) => void;
}

export function hearTurn({ connection, threadId, model, watch, emit }: CodexHearOptions): CodexTurnHearing {
  const events = createCodexEvents(model);
  let closed = false;
  const messages: CodexMessage[] = [];
  const follow = createRequestFollower(watch);
  const ended = new Deferred<HeardEnd>();
  const completed = new Deferred<void>();
  const unsubscribe = connection.rpc.subscribe(threadId, hear);

  function hear(message: ThreadMessage): void {
    watch.sawEvent();
    if (message.kind === 'request') {
      const event = refuseRequest(connection.rpc, message);
      if (!closed) emit(event);
      return;
    }
    const read = readNotification(message.method, message.params);
    if (read !== null) note(read);
    if (closed) return;
    for (const event of read === null ? events.unread(message) : events.take(read)) emit(event);
  }

  function note(read: WireNotification): void {
    follow(read);
    if (read.method === 'item/completed' && read.params.item.type === 'agentMessage') {
      messages.push({ text: read.params.item.text, phase: read.params.item.phase ?? null });
    }
    if (read.method === 'error' && read.params.willRetry === true && !isAboutWebSocket(read.params.error)) {
      ended.resolve({ kind: 'retrying', turnId: turnIdOf(read.params), error: read.params.error });
    }
    if (read.method === 'turn/completed') {
      const { status, error } = read.params.turn;
      completed.resolve();
      ended.resolve({ kind: 'completed', status, error: error ?? null });
    }
  }

  function close(stopReason: string | null, error: EventBody | null): void {
    if (closed) return;
    closed = true;
    if (error !== null) emit(error);
    for (const event of events.end(stopReason)) emit(event);
  }

  return {
    ended: ended.promise,
    completed: completed.promise,
    messages: () => messages,
    usage: () => events.usage(),
    close,
    unsubscribe,
  };
}

function turnIdOf(params: { readonly [key: string]: unknown }): string {
  return typeof params['turnId'] === 'string' ? params['turnId'] : '';
}
