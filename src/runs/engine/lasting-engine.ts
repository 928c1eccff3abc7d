/**
 * The engine over PostgreSQL for a process that outlives its database: one that was out of reach for so long that this process
 * counts as gone is opened again. Readers of that moment are disconnected, and return.
 */
import { isOutOfReach } from '../../engine/postgres/connect.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import { openDatabaseEngine, type DatabaseEngine, type DatabaseOptions } from './database-engine.ts';

export interface LastingOptions extends DatabaseOptions {
  /** Called when the database was lost, and when it is back. */
  readonly onNews: (news: 'lost' | 'back') => void;
  /** Called once for each fault that keeps the database from being opened again, unless it is only out of reach. */
  readonly onFault: (error: unknown) => void;
  /** Default: `openDatabaseEngine`. */
  readonly open?: typeof openDatabaseEngine;
}

const retryMs = 1000;

/** The caller closes it. @throws CollabError as `openDatabaseEngine` */
export async function openLastingEngine(
  url: string,
  { onNews, onFault, open = openDatabaseEngine, ...options }: LastingOptions,
): Promise<DatabaseEngine> {
  let current = await open(url, options);
  const closing = new AbortController();
  const kept = keepOpen();

  async function keepOpen(): Promise<void> {
    while (!closing.signal.aborted) {
      await untilAborted(AbortSignal.any([current.store.lost, closing.signal]));
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
    const reported = new Set<string>();
    while (!closing.signal.aborted) {
      const opened = await open(url, options).catch((error: unknown) => {
        if (!isOutOfReach(error)) reportOnce(error, reported);
        return null;
      });
      if (opened !== null) return opened;
      await options.clock.sleep(retryMs, closing.signal).catch(() => undefined);
    }
    return null;
  }

  function reportOnce(error: unknown, reported: Set<string>): void {
    const text = String(error);
    if (reported.has(text)) return;
    reported.add(text);
    onFault(error);
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
