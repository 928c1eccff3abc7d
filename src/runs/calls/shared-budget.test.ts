import { expect, test } from 'vitest';
import type { CallLedger } from '../../engine/store/call-ledger.ts';
import type { Usage } from '../../events/collab-event.ts';
import { createBudget, noLimits } from './budget.ts';
import { callWithin } from './budgeted-call.ts';
import { shareBudget } from './shared-budget.ts';

const { signal } = new AbortController();
const call = { prompt: 'four', emit: () => undefined, signal };
/** Dollars per million tokens. */
const price = { input: 1e6, output: 1 };

test('a call reserves its expected cost for its provider, and is settled by what it cost', async () => {
  const ledger = scriptedLedger();
  const budget = shareBudget(createBudget(noLimits, price), ledger, 'codex');
  await callWithin(budget, call, async (emit) => {
    emit({ type: 'turn.ended', stop_reason: null, usage: usage(0.25) });
  });
  await callWithin(budget, call, async (emit) => {
    emit({ type: 'turn.ended', stop_reason: null, usage: usage(null) });
  });
  await expect(callWithin(budget, call, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
  expect(ledger.reserved).toEqual(Array.from({ length: 3 }, () => ({ provider: 'codex', usd: 1.004 })));
  expect(ledger.settled).toEqual([0.25, null, null]);
});

test('a call that the shared limit refuses is not made, and takes nothing of the budget of the run', async () => {
  const own = createBudget({ ...noLimits, calls: 1 });
  const message = 'the budget of the tenant acme is spent';
  const refused = shareBudget(own, scriptedLedger({ kind: 'refused', message }), 'codex');
  expect(await callWithin(refused, call, () => expect.unreachable())).toEqual({
    kind: 'refused',
    cause: 'budget',
    message,
    made: false,
  });
  expect((await own.reserve(0)).kind).toBe('reserved');
});

test('a call that the budget of the run refuses asks for no shared room', async () => {
  const ledger = scriptedLedger();
  const budget = shareBudget(createBudget({ ...noLimits, calls: 0 }), ledger, 'codex');
  expect(await callWithin(budget, call, () => expect.unreachable())).toMatchObject({ kind: 'refused' });
  expect(ledger.reserved).toEqual([]);
});

test('a database that is out of reach leaves the budget of the run as it was', async () => {
  const own = createBudget({ ...noLimits, calls: 1 });
  const away = { reserve: () => Promise.reject(new Error('out of reach')) };
  await expect(callWithin(shareBudget(own, away, 'codex'), call, () => expect.unreachable())).rejects.toThrow(
    'out of reach',
  );
  expect((await own.reserve(0)).kind).toBe('reserved');
});

function scriptedLedger(refusal?: { readonly kind: 'refused'; readonly message: string }) {
  const reserved: unknown[] = [];
  const settled: (number | null)[] = [];
  const ledger: CallLedger = {
    async reserve(wanted) {
      reserved.push(wanted);
      return refusal ?? { kind: 'reserved', settle: async (usd) => void settled.push(usd) };
    },
  };
  return { ...ledger, reserved, settled };
}

function usage(cost: number | null): Usage {
  const cached = { cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 };
  return {
    model: 'm',
    input: 1,
    output: 1,
    ...cached,
    cost,
    cost_basis: cost === null ? 'unknown' : 'reported',
  };
}
