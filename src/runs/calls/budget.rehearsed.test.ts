import { afterEach, expect, test } from 'vitest';
import { outputAllowanceTokens } from './budget.ts';
import {
  prepareRehearsed,
  smallDiff,
  wholeAnswer,
  type RehearsedReview,
} from '../rehearsed-review.test-helper.ts';

const opened: RehearsedReview[] = [];
afterEach(() => {
  for (const review of opened.splice(0)) review.close();
});

const found = wholeAnswer.replace(
  '## ISSUES\nNone',
  '## ISSUES\n### Critical\n1. **Rounded too early** — `src/total.ts:2`\n   ```\n   const total = Math.round(subtotal(items));\n   ```\n   Why: cents are lost.\n   Fix: round at the end.',
);
const twoFiles = `${smallDiff}${smallDiff.replaceAll('src/total.ts', 'src/other.ts')}`;

async function prepare(options: Parameters<typeof prepareRehearsed>[0]): Promise<RehearsedReview> {
  const review = await prepareRehearsed(options);
  opened.push(review);
  return review;
}

/** Two exchanges, one after the other. */
const inTurn = { chunk_tokens: 50, concurrency: 1 };
const turn = { answer: found, usage: { input: 8000, output: 100, cost: 0.5 }, repeat: 'forever' };

test('a spent budget ends a review as incomplete, with its findings, and is checked again on resume', async () => {
  const review = await prepare({
    turns: [turn],
    diff: twoFiles,
    settings: { ...inTurn, budget_tokens: 8100 + outputAllowanceTokens },
  });
  expect((await review.drive()).kind).toBe('settled');
  const result = review.result();
  expect(result).toMatchObject({ outcome: 'incomplete', exit_code: 3, state: 'ended' });
  expect(result.reasons[0]).toMatch(/^budget_spent: .*chunk-2.* the budget of 12,100 tokens is spent/);
  expect(result.findings).toHaveLength(1);
  expect(review.calls()).toHaveLength(2);
  const budgets = review.journal().filter(({ type }) => type === 'budget');
  expect(budgets).toMatchObject([{ spent: 8100, left: outputAllowanceTokens, unit: 'tokens' }]);
  expect(review.journal().some(({ type }) => type === 'run.ended')).toBe(false);

  await review.drive();
  expect(review.calls()).toHaveLength(2);
  expect(review.result()).toMatchObject({ outcome: 'incomplete', exit_code: 3 });
});

test('a budget in dollars ends a review as incomplete, too', async () => {
  const review = await prepare({ turns: [turn], diff: twoFiles, settings: { ...inTurn, budget_usd: 0.5 } });
  await review.drive();
  expect(review.result()).toMatchObject({ outcome: 'incomplete', cost_usd: 0.5 });
  expect(review.result().reasons[0]).toMatch(/^budget_spent: .*the budget of \$0\.5 is spent: \$0\.5000/);
});

test('a budget of calls ends a review as incomplete, and names the files and lines that were left out', async () => {
  const review = await prepare({
    turns: [turn],
    diff: twoFiles,
    settings: { ...inTurn, budget_calls: 1 },
  });
  await review.drive();
  const result = review.result();
  expect(result).toMatchObject({ outcome: 'incomplete', exit_code: 3, usage_by: [{ calls: 1 }] });
  expect(result.reasons.slice(0, 2)).toEqual([
    expect.stringMatching(/^budget_spent: .*\(chunk-2\); the budget of 1 call is spent/),
    'lines_not_shown: 1 changed line of src/other.ts was in no exchange that settled',
  ]);
  const reason = '1 of 1 changed lines were in no exchange that settled';
  expect(result.coverage.files).toMatchObject([
    { path: 'src/total.ts', status: 'reviewed' },
    { path: 'src/other.ts', status: 'failed', reason },
  ]);
  expect(review.journal().findLast(({ type }) => type === 'budget')).toMatchObject({
    spent: 1,
    left: 0,
    unit: 'calls',
  });
});

test('the use of a killed drive counts in the next one', async () => {
  const review = await prepare({
    turns: [turn],
    diff: twoFiles,
    settings: { ...inTurn, budget_calls: 1 },
  });
  const killed = new AbortController();
  await review.drive(killed.signal, ({ type }) => {
    if (type === 'turn.ended') killed.abort();
  });
  expect(review.calls()).toHaveLength(2);
  await review.drive();
  expect(review.result()).toMatchObject({ outcome: 'incomplete', usage_by: [{ calls: 1 }] });
  expect(review.calls()).toHaveLength(2);
});

test('a first call that does not fit is not made, and the review is incomplete', async () => {
  const review = await prepare({ turns: [turn], settings: { budget_tokens: outputAllowanceTokens } });
  await review.drive();
  expect(review.result()).toMatchObject({ outcome: 'incomplete', exit_code: 3, usage_by: [] });
  expect(review.calls()).toEqual([]);
});

test('a sufficient budget changes nothing', async () => {
  const review = await prepare({
    turns: [turn],
    diff: twoFiles,
    settings: { ...inTurn, budget_tokens: 1e6 },
  });
  await review.drive();
  expect(review.result()).toMatchObject({ outcome: 'findings', exit_code: 1 });
});

test.each([
  ['static_review', 'static_review'],
  ['a script without costs', 'rehearsal:script.yaml'],
])('a budget in dollars with %s is refused before anything is begun', async (_, advisor) => {
  const settings = { budget_usd: 2 };
  const refused = prepare({ turns: [{ answer: wholeAnswer }], advisor, settings });
  await expect(refused).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/ reports no price of its calls, so \$2 cannot be enforced$/),
    hint: expect.stringContaining('--budget-tokens'),
  });
});

test('rules do not count against a budget in tokens', async () => {
  const review = await prepare({ turns: [turn], advisor: 'static_review', settings: { budget_tokens: 1 } });
  await review.drive();
  expect(review.result()).toMatchObject({ outcome: 'clean', usage_by: [] });
});
