import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFrameReader } from '../../client/read-frames.ts';
import { openEngine } from '../../runs/engine/open-engine.ts';
import { systemClock } from '../../system/clock.ts';
import { linesOf, linesRenderedAgain } from '../../engine/journal/open-journal.test-helper.ts';
import { rehearse, wholeAnswer, type RehearsedReview } from '../../runs/rehearsed-review.test-helper.ts';
import type { FrameSource } from '../streams/event-stream-port.ts';
import { createJournalFraming } from '../streams/framing.ts';
import { createRunStreams } from '../streams/run-streams.ts';
import { base, dataOf, saying, serveRuns, type Turn } from '../served.test-helper.ts';

const notLoggedIn = { fault: 'unavailable', code: 'auth' };
const never = new AbortController().signal;

test('the records of a run that ends with a refusal end, and readers need not return', async () => {
  const served = await serveRuns({ advisor: [notLoggedIn] });
  const begin = () => {
    const body = JSON.stringify({ kind: 'review' });
    const headers = { 'content-type': 'application/json' };
    return served.open(`${base('first')}/runs`, { method: 'POST', headers, body });
  };
  const run = (await begin()).response.headers.get('location') ?? '';
  const records = await (await served.open(`${run}/events`)).whole;
  expect(records.map((record) => dataOf(record)['type'])).not.toContain('run.ended');
  expect(await (await fetch(served.url(run))).json()).toMatchObject({
    state: 'ended',
    outcome: 'failed',
    last_seq: records.length,
  });
  const nothing = await served.open(`${run}/events?after=${records.length}`);
  const last = await (await served.open(`${run}/events?after=${records.length - 1}`)).whole;
  expect([nothing.response.status, last]).toEqual([204, records.slice(-1)]);
  expect((await begin()).response.status).toBe(201);
});

test('the records of a run are the lines of its journal, unchanged by parsing and rendering', async () => {
  const served = await serveRuns({ advisor: [{ answer: wholeAnswer }], turns: [saying('Hello.')] });
  await (
    await served.post('first', '/review')
  ).whole;
  await (
    await served.post('second', 'hello')
  ).whole;
  const files = readdirSync(served.home, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('journal.jsonl'))
    .map((path) => join(served.home, path));
  expect(files).toHaveLength(2);
  for (const file of files) expect(linesRenderedAgain(file)).toEqual(linesOf(file));
});

test('X002-8.1,2 the stream of a review or a turn that a refusal ends says why and is done', async () => {
  const served = await serveRuns({ advisor: [notLoggedIn], turns: [refused, saying('Hello.')] });
  const frames = await (await served.post('first', '/review')).whole;
  expect(frames.map(({ event }) => event).slice(-2)).toEqual(['error', 'done']);
  expect(dataOf(frames.at(-2))).toMatchObject({
    error_type: 'options_error',
    message: expect.stringMatching(
      /^ログインまたはAPIキーが無効です: agent_login: the advisor is not logged in/,
    ),
    recoverable: false,
  });
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'error', is_error: true });
  const nothing = await served.open(`${base('first')}/stream?after=${frames.at(-1)?.id}`);
  expect(nothing.response.status).toBe(204);
  const turn = await (await served.post('first', 'hello')).whole;
  expect(turn.map(({ event }) => event).slice(-2)).toEqual(['error', 'done']);
  expect(dataOf(turn.at(-2))['message']).toBe('実行中にエラーが発生しました: not logged in');
  const next = await (await served.post('first', 'hello')).whole;
  expect(dataOf(next.at(-1))).toMatchObject({ status: 'success' });
});

test('readers get an end without a record and the events of a later drive, whichever process drives the run', async () => {
  const review = await rehearse({ turns: [notLoggedIn] });
  const { source, read } = recordsOf(review);
  const reading = read();
  await review.drive();
  const count = await reading;
  expect(count).toBe(review.journal().length);
  expect(await source().hasAll(count, never)).toBe(true);
  review.rewrite([{ answer: wholeAnswer }]);
  const rest: Promise<number>[] = [];
  await review.drive(never, () => {
    if (rest.length === 0) rest.push(read(count));
  });
  expect(await Promise.all(rest)).toEqual([review.journal().length - count]);
  expect(review.journal().at(-1)?.type).toBe('run.ended');
});

test('readers of an interrupted run return once, and wait for its next driver', async () => {
  const review = await rehearse({ turns: [{ fault: 'never' }] });
  const { source, read } = recordsOf(review);
  const interruption = new AbortController();
  const reading = read();
  await review.drive(interruption.signal, ({ type }) => {
    if (type === 'exchange.sent') interruption.abort();
  });
  const count = await reading;
  expect(review.result().state).toBe('interrupted');
  expect(await source().hasAll(count, never)).toBe(false);
  const again = read(count);
  review.rewrite([{ answer: wholeAnswer }]);
  await review.drive();
  expect(await again).toBe(review.journal().length - count);
});

const refused: Turn = async () => ({ kind: 'failed', message: 'not logged in', hint: 'log in' });

/** As a server follows a run that it does not drive. */
function recordsOf({ runFolder }: RehearsedReview): {
  readonly source: () => FrameSource;
  /** Resolves when the stream has ended, with the number of received records. */
  readonly read: (after?: number) => Promise<number>;
} {
  const faults: unknown[] = [];
  const streams = createRunStreams({
    clock: systemClock,
    engine: openEngine({ clock: systemClock }),
    onFault: (error) => faults.push(error),
  });
  onTestFinished(async () => {
    await streams.close();
    expect(faults).toEqual([]);
  });
  const source = (): FrameSource =>
    streams.source({ runId: 'run-1', runFolder, kind: 'journal', createFraming: createJournalFraming });
  return {
    source,
    async read(after = 0) {
      const frames = createFrameReader();
      let count = 0;
      for await (const { bytes } of source().read(after, never)) count += [...frames.feed(bytes)].length;
      return count;
    },
  };
}
