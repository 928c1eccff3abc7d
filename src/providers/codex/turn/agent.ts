/** Codex as the agent of one run: one server for all turns, restarted if a limit or a crash ended it. */
import { systemClock, type Clock } from '../../../system/clock.ts';
import { orAborted } from '../../../system/or-aborted.ts';
import type {
  Agent,
  AgentIdentity,
  Harvest,
  PromptAgent,
  TurnCall,
  TurnResult,
} from '../../contract/contract.ts';
import type { TurnLimits } from '../../../config/settings.ts';
import type { ConnectResult, CodexConnection } from '../launch/connect.ts';
import { readHarvest } from './harvest.ts';
import {
  resumeThread,
  startThread,
  type OpenThread,
  type ThreadPlace,
  type ThreadResult,
} from './threads.ts';
import { runTurn } from './turn.ts';
import { limitResult, unavailable } from './turn-result.ts';
import { startWatch, type TurnWatch } from '../../program/turn-watch.ts';

export interface AgentOptions {
  readonly identity: AgentIdentity;
  readonly limits: TurnLimits;
  readonly place: ThreadPlace;
  /** Starts a server with the run's launch profile. */
  readonly connect: () => Promise<ConnectResult>;
  readonly first: CodexConnection;
  /** A conversation that was started to check its isolation; the first fresh turn uses it. */
  readonly spare: OpenThread | null;
  readonly clock?: Clock;
  readonly interruptGraceMs?: number;
}

/** In characters; measured: `turn/start` refuses one more (0.169). */
export const promptLimit = 1_048_576;

export function createAgent(options: AgentOptions): Agent & PromptAgent {
  const { clock = systemClock, limits, place } = options;
  const servers = createServers(options);
  const conversations = createConversations(servers, options);

  return {
    identity: options.identity,
    interruptible: true,
    async turn(request) {
      request.signal.throwIfAborted();
      if (request.prompt.length > promptLimit) return tooLong(request);
      const watch = startWatch(request.limits ?? limits, clock);
      try {
        return await turnWithin(watch, request);
      } finally {
        watch.stop();
      }
    },
    async harvest(sessionId, callId): Promise<Harvest> {
      const connected = await servers.current();
      // Without a server the outcome is unknown; "sent and cut" costs at most one more request.
      if (!connected.ok) return { kind: 'interrupted' };
      return readHarvest(await resumeThread(connected.connection.rpc, sessionId, place), callId);
    },
    close: () => servers.close(),
  };

  async function turnWithin(watch: TurnWatch, request: TurnCall): Promise<TurnResult> {
    const opening = Promise.race([
      conversations.open(request.sessionId),
      watch.passed.then((limit) => ({ kind: 'limit' as const, limit })),
    ]);
    const opened = await orAborted(opening, request.signal);
    request.signal.throwIfAborted();
    if (opened.kind === 'limit') {
      await servers.stopStuck();
      return limitResult(opened.limit, request.sessionId, null).result;
    }
    if (opened.kind !== 'open') return opened;
    const { connection, thread } = opened;
    request.emit({ type: 'session.bound', provider_session_id: thread.id, resumable: true });
    await request.bind(thread.id);
    return runTurn({
      connection,
      threadId: thread.id,
      place,
      model: thread.model ?? options.identity.model,
      prompt: request.prompt,
      callId: request.callId,
      watch,
      signal: request.signal,
      ...(request.interrupt === undefined ? {} : { interrupted: request.interrupt }),
      emit: request.emit,
      interruptGraceMs: options.interruptGraceMs ?? 2000,
    });
  }
}

function tooLong({ prompt, sessionId }: TurnCall): TurnResult {
  const message = `the prompt has ${prompt.length} characters; Codex takes ${promptLimit}`;
  return { kind: 'timed_out', limit: 'context', message, sessionId };
}

interface Servers {
  /** Returns the running server, or a new one. */
  current(): Promise<ConnectResult>;
  /** Ends a server that does not answer; its turns in flight return `cut` uncounted. */
  stopStuck(): Promise<void>;
  close(): Promise<void>;
}

function createServers({ connect, first }: AgentOptions): Servers {
  let closed = false;
  let current: Promise<ConnectResult> | null = null;
  const keep = (next: Promise<ConnectResult>): Promise<ConnectResult> => {
    current = next;
    void forgetWhenGone(next);
    return next;
  };
  const forgetWhenGone = async (next: Promise<ConnectResult>): Promise<void> => {
    const result = await next;
    if (result.ok) await result.connection.ended;
    if (current === next) current = null;
  };
  void keep(Promise.resolve({ ok: true, connection: first }));
  const stop = async (reason?: 'forAnotherTurn'): Promise<void> => {
    const result = await current;
    if (result?.ok === true) await result.connection.stop(reason);
  };
  return {
    async current() {
      if (closed) return { ok: false, missing: false, ability: null, message: 'Codex was closed' };
      return current ?? keep(connect());
    },
    stopStuck: () => stop('forAnotherTurn'),
    close() {
      closed = true;
      return stop();
    },
  };
}

type Opened =
  | { readonly kind: 'open'; readonly connection: CodexConnection; readonly thread: OpenThread }
  | Extract<TurnResult, { kind: 'cut' | 'unavailable' }>;

function createConversations(servers: Servers, { place, first, spare }: AgentOptions) {
  /** The conversations that a server has already loaded. */
  const loaded = new WeakMap<CodexConnection, Map<string, OpenThread>>();
  let unused = spare;

  return {
    async open(sessionId: string | null): Promise<Opened> {
      const connected = await servers.current();
      if (!connected.ok) return unavailable(connected.missing ? 'cli_missing' : 'died', connected.message);
      const { connection } = connected;
      const held = loaded.get(connection) ?? new Map<string, OpenThread>();
      loaded.set(connection, held);
      const known = sessionId === null ? takeSpare(connection) : held.get(sessionId);
      const result: ThreadResult =
        known !== undefined && known !== null
          ? { ok: true, thread: known }
          : sessionId === null
            ? await startThread(connection.rpc, place)
            : await resumeThread(connection.rpc, sessionId, place);
      if (!result.ok) return notOpened(result, sessionId);
      held.set(result.thread.id, result.thread);
      return { kind: 'open', connection, thread: result.thread };
    },
  };

  function takeSpare(connection: CodexConnection): OpenThread | null {
    if (connection !== first) return null;
    const thread = unused;
    unused = null;
    return thread;
  }
}

function notOpened({ why, message }: Extract<ThreadResult, { ok: false }>, sessionId: string | null): Opened {
  switch (why) {
    case 'closed':
      return { kind: 'cut', message: 'Codex ended before the turn began', sessionId, uncounted: false };
    case 'no_rollout':
      return { kind: 'cut', message: 'the conversation is gone', sessionId: null, uncounted: false };
    case 'not_isolated':
    case 'refused':
      return unavailable('options', message);
  }
}
