/** `GET /metrics`: the numbers of all runs of the server, for Prometheus. For the owner alone. */
import { Hono } from 'hono';
import { localTenant } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { requireMay } from '../../access/require.ts';
import type { CountedRun, Metrics } from '../../observe/metrics/metrics.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { isUnreadable } from '../../runs/folder/run-status.ts';
import { requireToken, speakerOf, type AccessEnv, type AccessPolicy } from '../access/access-token.ts';
import type { ServedConversation } from '../conversations/conversations.ts';
import { runFolderOf } from '../conversations/run-places.ts';
import type { ServerContext } from './server-context.ts';

type MetricsContext = Pick<ServerContext, 'clock' | 'conversations' | 'engine' | 'streams'>;

/** A run, with its numbers. */
interface StoredRun extends CountedRun, RunFolder {
  /** When it ended, in milliseconds since 1970; null if it has not ended, or if that is not known. */
  readonly endedAt: number | null;
}

export function metricsRoutes(server: MetricsContext, policy: AccessPolicy): Hono<AccessEnv> {
  const collect = createCollector(server);
  return new Hono<AccessEnv>().get('/metrics', requireToken(policy), async (context) => {
    const { tenant, grants } = context.var.caller;
    const speaker = speakerOf({
      tenant: tenant ?? localTenant,
      grants,
      providers: policy.providers,
      isServerOpen: !policy.requiresToken,
    });
    requireMay(speaker, { does: 'read the numbers of all runs' }, 'GET /metrics');
    const { text, contentType } = await collect();
    return context.body(text, 200, { 'content-type': contentType, 'cache-control': 'no-store' });
  });
}

/** Calls at the same time share one result. */
function createCollector({ clock, conversations, engine, streams }: MetricsContext) {
  const since = clock.now();
  let opened: Promise<Metrics> | null = null;
  let current: Promise<{ readonly text: string; readonly contentType: string }> | null = null;
  /** The last record of each run that is counted. */
  const counted = new Map<string, number>();

  /** Loaded by the first request. */
  async function openMetrics(): Promise<Metrics> {
    const { createMetrics } = await import('../../observe/metrics/metrics.ts');
    return createMetrics(since);
  }

  async function collectNow() {
    const metrics = await (opened ??= openMetrics());
    const runs = await storedRuns();
    for (const run of runs) if (run.endedAt === null || run.endedAt >= since) await countRun(metrics, run);
    const text = await metrics.render({ runs, readers: streams.readers() });
    return { text, contentType: metrics.contentType };
  }

  async function countRun(metrics: Metrics, run: StoredRun): Promise<void> {
    try {
      const last = (await engine.ends(run))?.last.seq ?? 0;
      if (counted.get(run.path) === last) return;
      metrics.count(run.path, await engine.records(run));
      counted.set(run.path, last);
    } catch (error) {
      // A run without records, or with unreadable ones, has no calls to count.
      const hasNone = error instanceof CollabError && error.code === 'run_not_found';
      if (!hasNone && !isUnreadable(error)) throw error;
    }
  }

  async function storedRuns(): Promise<readonly StoredRun[]> {
    const served = conversations.all();
    const tenants = new Set([localTenant, ...served.map(({ tenant_id: tenant }) => tenant)]);
    const runs = [...tenants].map((tenant) => runsIn(conversations.place(tenant, tenant).home));
    return [...(await Promise.all(runs)).flat(), ...served.flatMap(turnsOf)];
  }

  async function runsIn(home: string): Promise<readonly StoredRun[]> {
    const places = new Map((await engine.list(home)).map((place) => [place.runId, place.path]));
    return (await engine.describeAll(home)).map(({ run: runId, kind, state, outcome, ended_at: end }) => ({
      runId,
      path: places.get(runId) ?? '',
      kind: kind ?? 'unknown',
      state,
      outcome: outcome ?? '',
      endedAt: end === null ? null : Date.parse(end),
    }));
  }

  function turnsOf({
    tenant_id,
    conversation_id,
    updated_at,
    runs,
  }: ServedConversation): readonly StoredRun[] {
    const place = conversations.place(tenant_id, conversation_id);
    const turns = runs.filter(({ kind }) => kind === 'turn');
    return turns.map((turn) => ({
      runId: turn.run_id,
      path: runFolderOf(place, turn),
      kind: 'turn',
      state: turn.state,
      outcome: '',
      // The conversation was updated then, or later.
      endedAt: turn.state === 'ended' ? Date.parse(updated_at) : null,
    }));
  }

  return () =>
    (current ??= collectNow().finally(() => {
      current = null;
    }));
}
