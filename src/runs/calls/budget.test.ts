import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CollabEvent, EventBody, Usage } from '../../events/collab-event.ts';
import { journalRecords, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { createBudget, noLimits, outputAllowanceTokens, type OwnBudget } from './budget.ts';
import { callWithin } from './budgeted-call.ts';

const { signal } = new AbortController();

function usage(input: number, output: number, cost: number | null = null): Usage {
  const none = { cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 };
  return { model: 'm', input, output, ...none, cost, cost_basis: cost === null ? 'unknown' : 'reported' };
}

async function reserved(budget: OwnBudget, characters = 0) {
  const reservation = await budget.reserve(characters);
  if (reservation.kind === 'refused') throw new Error(reservation.message);
  return reservation;
}

test('a call reserves a quarter of its characters and an allowance for the answer', async () => {
  const budget = createBudget({ ...noLimits, tokens: outputAllowanceTokens + 100 });
  expect((await budget.reserve(404)).kind).toBe('refused');
  expect((await budget.reserve(400)).kind).toBe('reserved');
});

test('the reservation of one call is not available to a parallel one', async () => {
  const budget = createBudget({ ...noLimits, tokens: 2 * outputAllowanceTokens });
  const first = await reserved(budget);
  await reserved(budget);
  expect((await budget.reserve(0)).kind).toBe('refused');
  expect(first.settle([usage(10, 5)])).toEqual([
    { type: 'budget', spent: 15, left: 2 * outputAllowanceTokens - 15, unit: 'tokens' },
  ]);
  expect(await budget.reserve(0)).toMatchObject({ kind: 'refused', cause: 'budget', made: false });
});

test('a call without reported usage counts as estimated, and settles once', async () => {
  const budget = createBudget({ ...noLimits, tokens: 10_000 });
  const call = await reserved(budget, 4000);
  expect(call.settle([])).toMatchObject([{ spent: 1000 + outputAllowanceTokens }]);
  expect(call.settle([usage(1, 1)])).toEqual([]);
});

test('a refusal names the budget, its use and the remedy', async () => {
  const budget = createBudget({ ...noLimits, tokens: 5000 });
  (await reserved(budget)).settle([usage(4000, 500)]);
  expect(await budget.reserve(400)).toMatchObject({
    message:
      'the budget of 5,000 tokens is spent: 4,500 are used or reserved and the next call needs about 4,100; start it again with a bigger --budget-tokens; resuming this run keeps the budget that it has',
  });
});

test('money: a known price is reserved for the first call and for parallel ones', async () => {
  const perMillion = 1_000_000 / outputAllowanceTokens;
  const budget = createBudget({ ...noLimits, usd: 2.95 }, { input: 4, output: perMillion });
  const first = await reserved(budget);
  await reserved(budget);
  expect(await budget.reserve(0)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('$2.0000 is used or reserved'),
  });
  first.settle([usage(100, 3900, 0.9)]);
  expect((await budget.reserve(4_000_000)).kind).toBe('refused');
  expect((await budget.reserve(0)).kind).toBe('reserved');
});

test('money: a call that costs more than expected makes the next ones more expensive', async () => {
  const budget = createBudget({ ...noLimits, usd: 99 }, { input: 1, output: 1 });
  (await reserved(budget)).settle([usage(1000, 0, 20)]);
  expect(await budget.reserve(0)).toMatchObject({ kind: 'refused', cause: 'budget' });
});

test('money: the first call starts without a price, later ones at the highest reported price per token', async () => {
  const budget = createBudget({ ...noLimits, usd: 1 });
  expect((await reserved(budget)).settle([usage(4000, 0, 0.4)])).toEqual([
    { type: 'budget', spent: 0.4, left: 0.6, unit: 'usd' },
  ]);
  const second = await reserved(budget);
  expect((await budget.reserve(0)).kind).toBe('refused');
  expect(second.settle([usage(100, 0, 0.01)])).toMatchObject([{ left: 0.59 }]);
  expect((await budget.reserve(0)).kind).toBe('reserved');
  expect(await budget.reserve(2_000_000)).toMatchObject({ kind: 'refused', cause: 'budget' });
});

test('money: while no price is known, one call at a time is started; then as many as fit', async () => {
  const budget = createBudget({ ...noLimits, usd: 100 });
  const first = await reserved(budget);
  const begun: string[] = [];
  const others = ['second', 'third'].map(async (name) => {
    const call = await reserved(budget);
    begun.push(name);
    return call;
  });
  await Promise.resolve();
  expect(begun).toEqual([]);
  first.settle([usage(100, 10, null)]);
  await others[0];
  expect(begun).toEqual(['second']);
  (await others[0])?.settle([usage(100, 10, 0.5)]);
  await Promise.all([...others, reserved(budget)]);
  expect(begun).toEqual(['second', 'third']);
});

test('calls are counted, including those in progress and those of earlier drives', async () => {
  const budget = createBudget({ ...noLimits, calls: 3 });
  budget.recall(journal({ type: 'turn.started', step: 'review/a' }));
  const second = await reserved(budget);
  await reserved(budget);
  expect(await budget.reserve(0)).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(
      /^the budget of 3 calls is spent; start it again with a bigger --budget-calls;/,
    ),
  });
  expect(second.settle([])).toEqual([{ type: 'budget', spent: 2, left: 1, unit: 'calls' }]);
});

test('parallel calls that keep to their estimates stay within the budget, except the first one in dollars', async () => {
  const call = fc.record({ characters: fc.nat(40_000), used: fc.double({ min: 0, max: 1, noNaN: true }) });
  const limits = fc.record({
    tokens: fc.integer({ min: 1, max: 100_000 }),
    usd: fc.double({ min: 0.01, max: 2, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 30 }),
      limits,
      fc.integer({ min: 1, max: 6 }),
      async (calls, limit, most) => {
        for (const unit of ['tokens', 'usd'] as const) {
          const budget = createBudget({ ...noLimits, [unit]: limit[unit] });
          const queue = [...calls];
          const spent: number[] = [];
          const work = async (): Promise<void> => {
            for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
              const reservation = await budget.reserve(next.characters);
              if (reservation.kind === 'refused') continue;
              await Promise.resolve();
              const tokens = Math.floor((Math.ceil(next.characters / 4) + outputAllowanceTokens) * next.used);
              reservation.settle([usage(tokens, 0, tokens / 10_000)]);
              spent.push(unit === 'tokens' ? tokens : tokens / 10_000);
            }
          };
          await Promise.all(Array.from({ length: most }, work));
          const sum = spent.reduce((total, each) => total + each, 0);
          const untold = unit === 'usd' ? (spent.find((each) => each > 0) ?? 0) : 0;
          expect(sum).toBeLessThanOrEqual(limit[unit] + untold + 1e-9);
        }
      },
    ),
  );
});

test('without a limit everything is reserved and nothing is reported', async () => {
  const budget = createBudget(noLimits);
  expect(budget.limited).toBe(false);
  expect((await reserved(budget, 1e9)).settle([usage(1, 1)])).toEqual([]);
});

function journal(...drafts: readonly RecordDraft[]): readonly CollabEvent[] {
  return journalRecords(drafts);
}

test('the use of earlier drives counts, a lost call as its request is estimated', async () => {
  const budget = createBudget({ ...noLimits, tokens: 20_000 });
  const sent = { type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt: 1, prompt_ref: 'p' } as const;
  budget.recall(
    journal(
      { type: 'turn.started', step: 'review/a' },
      { type: 'turn.ended', stop_reason: null, usage: usage(1000, 500), step: 'review/a' },
      { ...sent, prompt_bytes: 4000, step: 'review/b' },
      { type: 'turn.started', step: 'review/b' },
    ),
  );
  expect((await reserved(budget)).settle([usage(1, 0)])).toMatchObject([
    { spent: 1500 + 1000 + outputAllowanceTokens + 1 },
  ]);
});

test('a call is settled by its reported usage, by its total only if its parts reported none', async () => {
  const budget = createBudget({ ...noLimits, tokens: 100_000 });
  const seen: EventBody[] = [];
  const call = { prompt: 'x', emit: (event: EventBody) => void seen.push(event), signal };
  await callWithin(budget, call, async (emit) => {
    emit({ type: 'turn.started' });
    emit({ type: 'usage', ...usage(10, 1) });
    emit({ type: 'usage', ...usage(20, 2) });
    emit({ type: 'turn.ended', stop_reason: null, usage: usage(30, 3) });
  });
  expect(seen.at(-1)).toMatchObject({ type: 'budget', spent: 33 });
  await callWithin(budget, call, async (emit) => {
    emit({ type: 'turn.started' });
    emit({ type: 'turn.ended', stop_reason: null, usage: usage(5, 2) });
  });
  expect(seen.at(-1)).toMatchObject({ type: 'budget', spent: 40 });
});

test('a failed call is settled, too', async () => {
  const budget = createBudget({ ...noLimits, tokens: 2 * outputAllowanceTokens });
  const seen: EventBody[] = [];
  const call = { prompt: '', emit: (event: EventBody) => void seen.push(event), signal };
  await expect(callWithin(budget, call, () => Promise.reject(new Error('aborted')))).rejects.toThrow(
    'aborted',
  );
  expect(seen).toMatchObject([{ type: 'budget', spent: outputAllowanceTokens }]);
});
