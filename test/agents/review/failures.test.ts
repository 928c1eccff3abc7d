/**
 * The real Codex with a model that refuses, is busy, falls silent or is unreachable: the review reports it and leaves
 * nothing behind.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startUpstream } from '../../upstream/responses-server.ts';
import { byContent, inOrder, type Script, type Step } from '../../upstream/steps.ts';
import {
  answerOf,
  change,
  changeOf,
  cleanAnswer,
  markOf,
  wholeAnswer,
} from '../../fixtures/review-answers.ts';
import { createReviewWorld, type ReviewWorld, type WorkFolder } from './review-user.ts';

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

const shortWaits = 'waits: [50ms, 50ms, 50ms]\n';

test('a refused key: failed with the remedy, after at most two requests', async () => {
  const { ended, folder, sent } = await reviewed(inOrder({ status: 401 }));
  expect(ended.code).toBe(4);
  expect(sent.length).toBeGreaterThanOrEqual(1);
  expect(sent.length).toBeLessThanOrEqual(2);
  expect(folder.result()).toMatchObject({ state: 'ended', outcome: 'failed', exit_code: 4, findings: [] });
  expect(`${ended.stdout}${ended.stderr}`).toContain('codex login');
  expect(ended.stdout).toContain('401');
});

test('a refused key is not remembered: the review continues with the right one', async () => {
  const { folder } = await reviewed(inOrder({ status: 401 }));
  expect(folder.events().some(({ type }) => type === 'run.ended')).toBe(false);
  review.upstream.play(inOrder({ text: wholeAnswer }));
  const again = await folder.run('resume');
  expect(again.code).toBe(1);
  expect(folder.result()).toMatchObject({ state: 'ended', outcome: 'findings' });
});

test('an upstream that is busy twice is waited for, and the review settles', async () => {
  const { ended, folder, sent } = await reviewed(
    inOrder({ status: 503 }, { status: 503 }, { text: wholeAnswer }),
    shortWaits,
  );
  expect(sent).toHaveLength(3);
  expect(steps(folder)).toEqual([
    'exchange.sent',
    'rejected overloaded waiting',
    'exchange.sent',
    'rejected overloaded waiting',
    'exchange.sent',
    'exchange.received',
    'exchange.ended',
  ]);
  expect(ended.code).toBe(1);
});

test('an upstream that stays busy is given up after the waits, with the reason', async () => {
  const { ended, folder, sent } = await reviewed(inOrder({ status: 503 }), shortWaits);
  expect(sent).toHaveLength(4);
  expect(ended.code).toBe(4);
  expect(steps(folder).slice(-2)).toEqual(['rejected overloaded unavailable', 'exchange.ended']);
  expect(folder.result()).toMatchObject({ outcome: 'failed', exit_code: 4 });
  expect(ended.stdout).toContain('503');
});

test('a cut answer is requested again, and its partial text is not shown as the answer', async () => {
  const { ended, folder, sent } = await reviewed(
    inOrder({ text: wholeAnswer, cut: true }, { text: wholeAnswer }),
    shortWaits,
  );
  expect(sent).toHaveLength(2);
  expect(steps(folder)).toEqual([
    'exchange.sent',
    'rejected cut waiting',
    'exchange.sent',
    'exchange.received',
    'exchange.ended',
  ]);
  expect(folder.result().findings).toHaveLength(1);
  expect(ended.code).toBe(1);
});

test('X001-10.2,5 a model that never says a word is ended at the idle limit, and the reason is said', async () => {
  const { ended, folder } = await reviewed(
    inOrder({ hang: 'headers' }),
    'limits: { idle: 2s }\nbudgets: { shortening: 0 }\n',
  );
  expect(ended.code).toBe(3);
  expect(steps(folder)).toEqual(['exchange.sent', 'rejected timed_out exhausted', 'exchange.ended']);
  expect(folder.result()).toMatchObject({ state: 'ended', outcome: 'incomplete', exit_code: 3 });
  expect(ended.stdout).toContain('idle limit');
});

test('R001-15.1 X001-10.10 after a silence the next prompt is strictly shorter, in a thread of its own, and the rest is asked for', async () => {
  const answers = byContent({
    'Math.floor': inOrder({ text: wholeAnswer }),
    '': inOrder({ text: cleanAnswer }),
  });
  let silences = 2;
  const { ended, folder, sent } = await reviewed((request) => {
    if (silences === 0) return answers(request);
    silences -= 1;
    return { hang: 'headers' };
  }, 'limits: { idle: 2s }\n');
  const [first, second, third] = sent;
  // The guide and the checklists go first, then parts of the change.
  expect(second?.text.length).toBeLessThan(first?.text.length ?? 0);
  expect(second?.lastInput).toContain('Math.floor');
  expect(third?.text.length).toBeLessThan(second?.text.length ?? 0);
  expect(third?.lastInput).not.toContain('Math.floor');
  expect(sent.length).toBeGreaterThan(3);
  const { outcome, coverage, findings } = folder.result();
  expect({ outcome, found: findings.length, reviewed: coverage.lines_reviewed }).toEqual({
    outcome: 'findings',
    found: 1,
    reviewed: coverage.lines_changed,
  });
  expect(ended.code).toBe(1);
});

const working = (): Step => ({
  calls: [{ name: 'view_image', arguments: { path: 'a.png' } }],
  gate: delay(100),
});

test('the limit of one chunk ends its turn and does not affect the other chunks', async () => {
  const folder = review.folder({
    config: 'chunk_tokens: 500\nlimits: { idle: 2s }\nbudgets: { shortening: 0 }\n',
  });
  folder.write('change.diff', changeOf(2));
  const isSilentEnded = (): boolean => folder.events().some(({ type }) => type === 'exchange.ended');
  review.upstream.play(
    byContent({
      [markOf(1)]: inOrder({ hang: 'headers' }),
      // Works step after step until the other turn has ended.
      [markOf(2)]: () => (isSilentEnded() ? { text: answerOf(2) } : working()),
    }),
  );
  const ended = await folder.run('review', 'change.diff');
  expect(ended.code).toBe(3);
  const { outcome, exchanges, findings } = folder.result();
  expect({ outcome, found: findings.map(({ path }) => path) }).toEqual({
    outcome: 'incomplete',
    found: ['src/part-2.ts'],
  });
  expect(exchanges.map(({ attempts }) => attempts.map(({ rejected }) => rejected))).toEqual([
    ['timed_out'],
    [undefined],
  ]);
  expect(ended.stdout).toContain('Fault of file 2');
});

test('a refused connection is given up, and the review fails', async () => {
  const closed = await startUpstream(inOrder({ text: 'never' }));
  await closed.close();
  const folder = review.folder({ config: shortWaits, upstream: closed.url });
  folder.write('change.diff', change);
  const ended = await folder.run('review', 'change.diff');
  expect(ended.code).toBe(4);
  expect(folder.result()).toMatchObject({ state: 'ended', outcome: 'failed', exit_code: 4 });
  expect(steps(folder).filter((step) => step.startsWith('rejected'))).toEqual([
    'rejected overloaded waiting',
    'rejected overloaded waiting',
    'rejected overloaded waiting',
    'rejected overloaded unavailable',
  ]);
});

async function reviewed(script: Script, config = '') {
  review.upstream.play(script);
  const before = review.upstream.requests.length;
  const folder = review.folder({ config });
  folder.write('change.diff', change);
  const ended = await folder.run('review', 'change.diff');
  return { ended, folder, sent: review.upstream.requests.slice(before) };
}

/** The outcomes of the requests, in order. */
function steps(folder: WorkFolder): readonly string[] {
  return folder.events().flatMap((event) => {
    if (event.type === 'exchange.rejected') return [`rejected ${event.reason} ${event.action}`];
    return event.type.startsWith('exchange.') ? [event.type] : [];
  });
}
