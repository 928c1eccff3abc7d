import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { journalRecords, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { parseMetrics } from '../../observe/metrics/parsed-metrics.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { timestampOf } from '../../text/timestamp.ts';
import type { RunNumbers } from '../runs/run-numbers.ts';
import { guarded, tokenOf } from '../guarded.test-helper.ts';
import { metricsRoutes } from './metrics.ts';
import { problemOfError } from './problem.ts';
import type { ServerContext } from './server-context.ts';

const clock = createManualClock();

test('the calls of a run are counted once, and its later ones as they are recorded', async () => {
  const world = measured({ a: calls(1), b: calls(2) });
  expect(await world.read()).toMatchObject({
    collab_runs: { 'kind=review,state=running,outcome=': 2 },
    collab_calls_total: { 'provider=codex,result=ok': 3 },
    collab_stream_readers: { '': 4 },
  });
  world.runs['a'] = calls(2);
  expect((await world.read())['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 4 });
  expect(world.readRecords).toEqual(['a', 'b', 'a']);
});

test('a run that gets no more records is forgotten, and counted anew if it is there again', async () => {
  const world = measured({ a: calls(1) });
  await world.read();
  world.runs['a'] = undefined;
  await world.read();
  world.runs['a'] = calls(1);
  expect((await world.read())['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 2 });
});

test('a run without records, or with damaged ones, hides no other; another fault does', async () => {
  const world = measured({
    none: new CollabError('run_not_found', 'There is no run'),
    damaged: new CollabError('journal_corrupt', 'journal.jsonl:3 is damaged'),
    a: calls(1),
  });
  expect((await world.read())['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 1 });
  world.runs['a'] = new Error('a bug');
  expect((await world.ask()).status).toBe(500);
  world.runs['a'] = new CollabError('internal', 'also a bug');
  expect((await world.ask()).status).toBe(500);
  // The next call reads again.
  world.runs['a'] = calls(3);
  expect((await world.ask()).status).toBe(200);
});

test('calls at the same time read the runs once', async () => {
  const world = measured({ a: calls(1) });
  const [one, other] = await Promise.all([world.ask(), world.ask()]);
  expect(await one.text()).toBe(await other.text());
  expect(world.readRecords).toEqual(['a']);
  await world.ask();
  expect(world.reads()).toBe(2);
});

test('the answer is in the format of Prometheus and never stored; only the owner gets it', async () => {
  const world = measured({}, { asksForToken: true });
  const owners = await world.ask(tokenOf(world, 'local', 'owner'));
  expect([owners.headers.get('content-type'), owners.headers.get('cache-control')]).toEqual([
    expect.stringMatching(/^text\/plain; version=/),
    'no-store',
  ]);
  const refused = [await world.ask(tokenOf(world, 'acme', 'owner')), await world.ask()];
  expect([owners, ...refused].map(({ status }) => status)).toEqual([200, 403, 401]);
});

type Runs = Record<string, readonly RecordDraft[] | Error | undefined>;

/** Serves the numbers of these runs. */
function measured(runs: Runs, { asksForToken = false } = {}) {
  const { tokens, policy } = guarded({ asksForToken });
  const readRecords: string[] = [];
  let reads = 0;
  const eventsOf = (path: string) => {
    const records = runs[path] ?? [];
    if (records instanceof Error) throw records;
    return journalRecords(records);
  };
  const numbers: RunNumbers = {
    async read() {
      reads += 1;
      const names = Object.keys(runs).filter((name) => runs[name] !== undefined);
      return {
        runs: names.map(() => ({ kind: 'review', state: 'running', outcome: '', runs: 1 })),
        recorded: names.map((path) => ({ runId: path, path, last: null })),
      };
    },
  };
  const server = {
    clock,
    engine: {
      ends: async ({ path }: { readonly path: string }) => ({ last: eventsOf(path).at(-1) }),
      async records({ path }: { readonly path: string }) {
        readRecords.push(path);
        return eventsOf(path);
      },
    },
    streams: { readers: () => 4 },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the methods that are called
  const routes = metricsRoutes(server as unknown as ServerContext, policy, numbers).onError((error) =>
    problemOfError(error, () => undefined),
  );
  const ask = async (headers: Readonly<Record<string, string>> = {}) =>
    routes.request('/metrics', { headers });
  const read = async () => parseMetrics(await (await ask()).text());
  return { ask, read, runs, readRecords, reads: () => reads, tokens };
}

/** The records of so many ended calls. */
function calls(count: number): readonly RecordDraft[] {
  const ts = timestampOf(clock);
  const steps = Array.from({ length: count }, (_, index) => `s${index}`);
  return steps.flatMap((step): readonly RecordDraft[] => [
    { type: 'step.begun', step, attempt: 1, input_digest: 'd', ts },
    { type: 'step.bound', step, session_id: 's', ts },
    { type: 'turn.started', step, ts },
    { type: 'turn.ended', step, stop_reason: null, usage: null, ts },
    { type: 'step.ended', step, attempt: 1, value: null, ts },
  ]);
}
