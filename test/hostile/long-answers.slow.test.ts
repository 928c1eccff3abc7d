/**
 * Fault 1.17: twelve answers at the same time that take long to read. The server still answers everyone, and reads
 * each answer to its end.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Deferred } from '../../src/system/deferred.ts';
import { modelName, openModel } from './model.ts';
import { test } from '../packed/place.ts';
import { serve } from '../packed/serve/served.ts';

const runs = 12;
const patient = { timeout: 300_000 };

const shapes = [
  '**Important** a.ts:1\n'.repeat(9_900),
  '1. a\n'.repeat(4_900),
  '[a]: /u\n'.repeat(9_900),
  '\\*'.repeat(130_000),
].map(
  (issues) =>
    `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- ok\n\n## ISSUES\n### Important\n${issues}\n\n## SUGGESTIONS\nNone\n`,
);

const begunSchema = z.looseObject({ run_id: z.string() });
const runSchema = z.looseObject({
  state: z.string(),
  result: z.looseObject({ outcome: z.string() }).nullish(),
});

test('a server answers others while it reads twelve long answers', patient, async ({ place, expect }) => {
  const released = new Deferred<void>();
  const model = await openModel(place, { text: '' });
  model.upstream.play(({ index }) => ({
    text: shapes[index % shapes.length] ?? '',
    unclosed: true,
    gate: released.promise,
  }));
  const served = await serve(place, ['--lead', modelName, '--advisor', modelName], model.env);
  const begun = await Promise.all(
    Array.from({ length: runs }, async (_, index) => {
      const conversation = `${served.url}/api/tenants/local/conversations/long-${index}/runs`;
      const answer = await fetch(conversation, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'review', input: { diff }, budget_calls: 1 }),
      });
      expect(answer.status).toBe(201);
      return `${conversation}/${begunSchema.parse(await answer.json()).run_id}`;
    }),
  );
  await model.upstream.untilRequests(runs);

  const ended = new AbortController();
  let healthy = 0;
  released.resolve();
  const others = (async () => {
    for (; !ended.signal.aborted; healthy += 1) {
      // A connection that a busy server did not read in time is closed.
      const { status } = await fetch(`${served.url}/api/health`, { headers: { connection: 'close' } });
      expect(status).toBe(200);
    }
  })();
  for (const run of begun) {
    await expect.poll(async () => (await read(run)).state, { timeout: 240_000 }).toBe('ended');
    expect((await read(run)).result?.outcome).toMatch(/^(findings|incomplete)$/);
  }
  ended.abort();
  await others;
  // If an answer were read on the event loop, only a few requests could be answered between two readings.
  expect(healthy).toBeGreaterThan(runs);
  expect(model.upstream.requests).toHaveLength(runs);
});

test(
  'a turn with text blocks without end is stopped, and the run says so and stays small',
  patient,
  async ({ place, expect }) => {
    const block = `&block {text: "${'a'.repeat(250_000)}"}`;
    const blocks = [block, ...Array.from({ length: 60 }, () => '*block')].join(', ');
    place.write('script.yaml', `turns:\n  - messages: [${blocks}]\n    answer: None\n    repeat: forever\n`);
    place.write('change.diff', diff);
    const agent = ['--advisor', 'rehearsal:script.yaml', '--lead', 'none'];
    const { code, stdout } = await place.collab(['review', 'change.diff', ...agent]);
    expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining('was stopped: the events of its turn grew beyond 16 MiB'),
    ]);
    const run = place.lastRun();
    expect(statSync(join(run, 'journal.jsonl')).size).toBeLessThan(20 * 2 ** 20);
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
  },
);

async function read(run: string) {
  return runSchema.parse(await (await fetch(run)).json());
}

const diff = '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n';
