/** The runs of a tenant in a database, whichever server or command submitted them. */
import type { DatabaseEngine } from '../../runs/engine/database-engine.ts';
import type { RunPlace } from './run-view.ts';
import type { TenantRuns } from './tenant-runs.ts';

/** Reads `engine.rows` at each call: an engine that is opened again has other ones. */
export function databaseTenantRuns(engine: Pick<DatabaseEngine, 'rows'>): TenantRuns {
  const ownedBy = shareQueries(async (tenant, conversation) => {
    const owned = await engine.rows.ownedBy(tenant, conversation);
    // A run in the database has no folder: its id stands for it.
    return owned.map(({ conversation: conversationId, runId, ...facts }) => {
      return { runId, path: runId, conversationId, known: null, shared: facts };
    });
  });
  const of: TenantRuns['of'] = ({ tenant, id }) => ownedBy(tenant, id);
  return {
    all: (tenant) => ownedBy(tenant),
    of,
    find: async (place, runId) => (await of(place)).find((run) => run.runId === runId) ?? null,
  };
}

type Query = (tenant: string, conversation?: string) => Promise<readonly RunPlace[]>;

/**
 * Thousands of readers may open one conversation at once. While a query is on its way, all later calls for the same runs wait for
 * the next one, which they share: each result is newer than its call.
 */
function shareQueries(query: Query): Query {
  const sent = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<readonly RunPlace[]>>();

  function send(key: string, ...call: Parameters<Query>): Promise<readonly RunPlace[]> {
    next.delete(key);
    const result = query(...call);
    const ended = settle(key, result);
    sent.set(key, ended);
    return result;
  }

  async function settle(key: string, result: Promise<unknown>): Promise<void> {
    await Promise.allSettled([result]);
    sent.delete(key);
  }

  return (...call) => {
    const key = JSON.stringify(call);
    const before = sent.get(key);
    if (before === undefined) return send(key, ...call);
    const waiting = next.get(key) ?? before.then(() => send(key, ...call));
    next.set(key, waiting);
    return waiting;
  };
}
