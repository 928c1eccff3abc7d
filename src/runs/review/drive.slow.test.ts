import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkLaws } from '../../events/laws.ts';
import { systemClock } from '../../system/clock.ts';
import { countLoopTurns } from '../../system/loop-turns.test-helper.ts';
import { rehearse, settledResult, smallDiff, wholeAnswer } from '../rehearsed-review.test-helper.ts';
import { endRun } from '../continue-run.ts';
import { standing } from '../folder/run-status.ts';

test('a burst of events is recorded in order, and the event loop turns in between', async () => {
  const tools = Array.from({ length: 400 }, (_, index) => ({
    name: 'Bash',
    input: { command: `echo ${index}` },
    output: String(index),
  }));
  const review = await rehearse({ turns: [{ tools, answer: wholeAnswer }] });
  let turns: ReturnType<typeof countLoopTurns> | null = null;
  let counted = 0;
  await review.drive(undefined, ({ type }) => {
    if (type === 'tool.call') turns ??= countLoopTurns();
    if (type === 'exchange.received') counted = turns?.stop() ?? 0;
  });
  const results = review.journal().filter((event) => event.type === 'tool.result');
  expect(results.map(({ content }) => content)).toEqual(tools.map(({ output }) => output));
  expect(checkLaws(review.journal())).toEqual([]);
  expect(counted).toBeGreaterThan(20);
});

test('findings of an exchange that ran out of time are still reported', async () => {
  const critical = wholeAnswer
    .replace(
      'None',
      '### Critical\n- **Rounded too early** `src/total.ts:2`\n\n      const total = Math.round(',
    )
    .replace(/## SUGGESTIONS[^]*/, '');
  const review = await rehearse({
    turns: [{ answer: critical }, { fault: 'timed_out', repeat: 'forever' }],
  });
  const result = settledResult(await review.drive());
  expect(result).toMatchObject({ outcome: 'incomplete', findings: [{ severity: 'critical' }] });
});

test('the next drive reports an advisor that cannot be opened again', async () => {
  const review = await rehearse({ turns: [], advisor: 'codex' });
  expect(settledResult(await review.drive()).reasons[0]).toMatch(/^agent_missing: /);
  const steps = review.journal().filter(({ type }) => type === 'step.abandoned');
  expect(steps).toMatchObject([
    { step: 'review/plan', reason: 'refused' },
    { step: 'review/chunk-1/turn-1', reason: 'refused' },
    { step: 'review/report', reason: 'refused' },
  ]);
  expect(checkLaws(review.journal())).toEqual([]);
});

test('without reviewable lines there is no advisor', async () => {
  const diff = smallDiff.replaceAll('src/total.ts', 'package-lock.json');
  const review = await rehearse({ diff, turns: [], advisor: 'auto' });
  const result = settledResult(await review.drive());
  expect(result).toMatchObject({ outcome: 'nothing_reviewed', assurance: 'none', advisor: null });
});

test('a short cache key is refused by every drive, and the run stays open', async () => {
  const env = { COLLAB_CACHE_KEY: 'short' };
  const review = await rehearse({ turns: [{ answer: wholeAnswer }], env });
  await expect(review.drive()).rejects.toMatchObject({
    code: 'usage',
    message: 'COLLAB_CACHE_KEY has 5 characters, and needs at least 16',
  });
  expect(existsSync(join(review.runFolder, 'journal.jsonl'))).toBe(false);
  const uncached = await rehearse({ turns: [{ answer: wholeAnswer }], env, settings: { cache: false } });
  expect(settledResult(await uncached.drive())).toMatchObject({ outcome: 'clean' });
});

test('a process that died between the last record and the result leaves the result to the next one', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  const first = settledResult(await review.drive());
  const calls = review.calls();
  rmSync(join(review.runFolder, 'result.json'));
  expect(await standing(review.runFolder)).toBe('interrupted');
  expect({ ...settledResult(await review.drive()), ended_at: null }).toEqual({ ...first, ended_at: null });
  expect(review.calls()).toEqual(calls);
});

test('a run that was canceled without a driver keeps its result when it is started again', async () => {
  const review = await rehearse({ turns: [{ fault: 'never' }] });
  const stop = new AbortController();
  await review.drive(stop.signal, ({ type }) => type === 'step.bound' && stop.abort());
  const { runFolder } = review;
  expect(await endRun({ runFolder, runId: basename(runFolder), clock: systemClock, env: process.env })).toBe(
    'ended',
  );
  expect(settledResult(await review.drive())).toMatchObject({ state: 'ended', outcome: 'incomplete' });
  expect(review.result()).toMatchObject({ state: 'ended', reasons: [expect.stringMatching(/^cancelled: /)] });
});

test('exchanges are reported in the order of the plan, in whatever order they end', async () => {
  const review = await rehearse({
    diff: ['a.ts', 'b.ts', 'c.ts'].map((name) => smallDiff.replaceAll('src/total.ts', name)).join(''),
    settings: { chunk_tokens: 40 },
    turns: [
      { when: { chunk: 1 }, delay_ms: 60, answer: wholeAnswer.replace('Small', 'First') },
      { when: { chunk: 2 }, delay_ms: 30, answer: wholeAnswer.replace('Small', 'Second') },
      { when: { chunk: 3 }, answer: wholeAnswer.replace('Small', 'Third') },
    ],
  });
  const result = settledResult(await review.drive());
  expect(result.exchanges.map(({ id }) => id)).toEqual(['ex_chunk-1', 'ex_chunk-2', 'ex_chunk-3']);
  expect(result.strengths).toEqual(['First.', 'Second.', 'Third.']);
});
