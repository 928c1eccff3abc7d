/** `GET /metrics`: the numbers of all runs of the server or its database, for Prometheus. For the owner alone. */
import { Hono } from 'hono';
import { localTenant } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { requireMay } from '../../access/require.ts';
import type { Metrics } from '../../observe/metrics/metrics.ts';
import { isUnreadable } from '../../runs/folder/run-status.ts';
import { requireToken, speakerOf, type AccessEnv, type AccessPolicy } from '../access/access-token.ts';
import type { RecordedRun, RunNumbers } from '../runs/run-numbers.ts';
import type { ServerContext } from './server-context.ts';

type MetricsContext = Pick<ServerContext, 'clock' | 'engine' | 'streams'>;

export function metricsRoutes(
  server: MetricsContext,
  policy: AccessPolicy,
  numbers: RunNumbers,
): Hono<AccessEnv> {
  const collect = createCollector(server, numbers);
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
function createCollector({ clock, engine, streams }: MetricsContext, numbers: RunNumbers) {
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
    const { runs, recorded } = await numbers.read(since);
    for (const run of recorded) await countRun(metrics, run);
    forgetAllBut(metrics, new Set(recorded.map(({ path }) => path)));
    const text = await metrics.render({ runs, readers: streams.readers() });
    return { text, contentType: metrics.contentType };
  }

  async function countRun(metrics: Metrics, run: RecordedRun): Promise<void> {
    try {
      const last = run.last ?? (await engine.ends(run))?.last.seq ?? 0;
      if (counted.get(run.path) === last) return;
      metrics.count(run.path, await engine.records(run));
      counted.set(run.path, last);
    } catch (error) {
      // A run without records, or with unreadable ones, has no calls to count.
      const hasNone = error instanceof CollabError && error.code === 'run_not_found';
      if (!hasNone && !isUnreadable(error)) throw error;
    }
  }

  function forgetAllBut(metrics: Metrics, kept: ReadonlySet<string>): void {
    for (const key of counted.keys()) {
      if (kept.has(key)) continue;
      counted.delete(key);
      metrics.forget(key);
    }
  }

  return () =>
    (current ??= collectNow().finally(() => {
      current = null;
    }));
}
