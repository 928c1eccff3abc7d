/**
 * The engine over PostgreSQL for a process that outlives its database: one that was out of reach for so long that this process
 * counts as gone is opened again. Readers of that moment are disconnected, and return.
 */
import { once } from 'node:events';
import { nap } from '../../system/nap.ts';
import { openDatabaseEngine, type DatabaseEngine, type DatabaseOptions } from './database-engine.ts';

export interface LastingOptions extends DatabaseOptions {
  /** Called when the database was lost, and when it is back. */
  readonly onNews: (news: 'lost' | 'back') => void;
}

const retryMs = 1000;

/** The caller closes it. @throws CollabError as `openDatabaseEngine` */
export async function openLastingEngine(
  url: string,
  { onNews, ...options }: LastingOptions,
): Promise<DatabaseEngine> {
  let current = await openDatabaseEngine(url, options);
  const closing = new AbortController();
  const kept = keepOpen();

  async function keepOpen(): Promise<void> {
    while (!closing.signal.aborted) {
      await isLost(current, closing.signal);
      if (closing.signal.aborted) return;
      onNews('lost');
      const next = await reopen();
      if (next === null) return;
      const before = current;
      current = next;
      onNews('back');
      await before.close().catch(() => undefined);
    }
  }

  async function reopen(): Promise<DatabaseEngine | null> {
    while (!closing.signal.aborted) {
      const next = await openDatabaseEngine(url, options).catch(() => null);
      if (next !== null) return next;
      await nap(retryMs, closing.signal);
    }
    return null;
  }

  async function close(): Promise<void> {
    closing.abort();
    await kept;
    await current.close();
  }

  return new Proxy(current, {
    get: (_first, name) => (name === 'close' ? close : Reflect.get(current, name)),
  });
}

async function isLost({ store: { lost } }: DatabaseEngine, closing: AbortSignal): Promise<void> {
  const either = AbortSignal.any([lost, closing]);
  if (!either.aborted) await once(either, 'abort');
}
