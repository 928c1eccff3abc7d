/** The runs of a tenant in a database, whichever server or command submitted them. */
import type { DatabaseEngine } from '../../runs/engine/database-engine.ts';
import type { RunPlace } from './run-view.ts';
import type { TenantRuns } from './tenant-runs.ts';

/** Reads `engine.rows` at each call: an engine that is opened again has other ones. */
export function databaseTenantRuns(engine: Pick<DatabaseEngine, 'rows'>): TenantRuns {
  /** A run in the database has no folder: its id stands for it. */
  async function ownedBy(tenant: string, conversation?: string): Promise<readonly RunPlace[]> {
    const owned = await engine.rows.ownedBy(tenant, conversation);
    return owned.map(({ conversation: conversationId, runId, ...facts }) => {
      return { runId, path: runId, conversationId, known: null, shared: facts };
    });
  }
  const of: TenantRuns['of'] = ({ tenant, id }) => ownedBy(tenant, id);
  return {
    all: (tenant) => ownedBy(tenant),
    of,
    find: async (place, runId) => (await of(place)).find((run) => run.runId === runId) ?? null,
  };
}
