/** Calls functions in worker threads, so that they neither hold up the event loop nor take longer than a limit. */
import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { CollabError } from '../errors/collab-error.ts';

/** Functions of plain values, by name. */
export type ThreadFunctions = Readonly<Record<string, (...args: never) => unknown>>;

export interface ThreadQueueOptions {
  /** The path of a module that passes the functions to `answerCalls`. */
  readonly program: string;
  readonly mostThreads: number;
  /** For the wait and the work of a call together; null for none. */
  readonly limitMs: number | null;
  /** True: idle threads wait for more calls until the queue is closed. Default: they end, so that an idle queue holds nothing. */
  readonly keepsThreads?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Memory of the arguments that is moved to the thread instead of copied; the caller no longer has it. */
  readonly moved?: readonly ArrayBuffer[];
}

export interface ThreadQueue<Functions extends ThreadFunctions> {
  /**
   * Resolves with the result of the call, or with null if that exceeds the limit, a thread's memory or the system's
   * threads. Rejects with what the function throws, and with the signal's reason.
   */
  call<Name extends keyof Functions>(
    name: Name,
    args: Parameters<Functions[Name]>,
    options?: CallOptions,
  ): Promise<ReturnType<Functions[Name]> | null>;
  /** Ends the idle threads. */
  close(): void;
}

/** Threads are started for the first calls. */
export function createThreadQueue<Functions extends ThreadFunctions>({
  program,
  mostThreads,
  limitMs,
  keepsThreads = false,
}: ThreadQueueOptions): ThreadQueue<Functions> {
  const places = createPlaces(mostThreads, keepsThreads);
  return {
    close: () => places.close(),
    async call(name, args, { signal, moved = [] } = {}) {
      const limit = new AbortController();
      const timer = limitMs === null ? undefined : setTimeout(() => limit.abort(), limitMs);
      try {
        const ended = await answerTo(
          { name, args },
          moved,
          AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]),
        );
        if ('error' in ended) throw unpackError(ended);
        return ended.result;
      } catch (error) {
        signal?.throwIfAborted();
        if (limit.signal.aborted || isLimitOfThreads(error)) return null;
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };

  async function answerTo(call: object, moved: readonly ArrayBuffer[], stop: AbortSignal) {
    let thread = await places.enter(stop);
    try {
      thread ??= startThread(program);
      thread.postMessage(call, moved);
      const [ended] = await once(thread, 'message', { signal: stop });
      places.leave(thread);
      return ended;
    } catch (error) {
      void thread?.terminate();
      places.leave(null);
      throw error;
    }
  }
}

function startThread(program: string): Worker {
  const thread = new Worker(program, { env: {} });
  // An error that no call waits for: the thread is being ended.
  thread.on('error', () => undefined);
  return thread;
}

/** Limits the calls at the same time. A call gets the thread of the one before it, or null if it must start one. */
function createPlaces(most: number, keepsThreads: boolean) {
  const waiting = new Set<(idle: Worker | null) => void>();
  const kept: Worker[] = [];
  let taken = 0;
  return {
    async enter(stop: AbortSignal): Promise<Worker | null> {
      stop.throwIfAborted();
      if (taken < most) {
        taken += 1;
        return kept.pop() ?? null;
      }
      return new Promise((resolve, reject) => {
        const next = (idle: Worker | null): void => {
          stop.removeEventListener('abort', giveUp);
          resolve(idle);
        };
        const giveUp = (): void => {
          waiting.delete(next);
          reject(stop.reason);
        };
        stop.addEventListener('abort', giveUp, { once: true });
        waiting.add(next);
      });
    },
    leave(idle: Worker | null): void {
      const [next] = waiting;
      if (next !== undefined) {
        waiting.delete(next);
        next(idle);
        return;
      }
      taken -= 1;
      if (keepsThreads && idle !== null) kept.push(idle);
      else void idle?.terminate();
    },
    close(): void {
      for (const idle of kept.splice(0)) void idle.terminate();
    },
  };
}

/** A thread that the system refuses, or that needs too much memory, is not a bug of the program. */
function isLimitOfThreads(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_WORKER_');
}

/** Answers the calls that this thread receives. */
export function answerCalls(functions: ThreadFunctions): void {
  parentPort?.on('message', ({ name, args }) => {
    parentPort?.postMessage(
      endOf(() => Reflect.apply(functions[name] ?? unknownFunction, undefined, args)),
      [],
    );
  });
}

function unknownFunction(): never {
  throw new Error('the thread has no such function');
}

function endOf(work: () => unknown): object {
  try {
    return { result: work() };
  } catch (error) {
    return { error, facts: error instanceof Error ? Object.fromEntries(Object.entries(error)) : {} };
  }
}

/** A message keeps neither the class of an error nor its code. */
function unpackError({ error, facts }: { readonly error: unknown; readonly facts: object }): unknown {
  if (!(error instanceof Error)) return error;
  if ('name' in facts && facts.name === 'CollabError') Object.setPrototypeOf(error, CollabError.prototype);
  return Object.assign(error, facts);
}
