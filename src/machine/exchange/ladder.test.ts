import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rejectionReasons } from '../../events/collab-event.ts';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import { nextAction, nothingSpent, rungOf, type Rejection, type Spent } from './ladder.ts';

const first: Spent = { ...nothingSpent, attempts: 1 };

describe('X001-10.6 the table of rejections', () => {
  const rows = [
    ['R001-13 a marker that is absent is answered by asking for the structure', 'marker_absent', 'repairing'],
    ['an empty answer is asked for again', 'empty', 'repairing'],
    ['R001-14.1 an incomplete answer is completed', 'incomplete', 'completing'],
    ['a malformed section is asked for again', 'malformed', 'completing'],
    ['R001-15.1 a time-out is answered by a shorter prompt', 'timed_out', 'shortening'],
    ['R001-16 an irrelevant answer is answered by the context', 'irrelevant', 'recontextualising'],
    ['an overloaded agent is waited for', 'overloaded', 'waiting'],
    ['a cut stream is waited out', 'cut', 'waiting'],
    ['an agent that cannot run ends the exchange', 'unavailable', 'unavailable'],
  ] as const;

  test.each(rows)('%s', (_title, reason, action) => {
    expect(nextAction({ reason, final: false, uncounted: false }, first, defaultBudgets)).toBe(action);
  });

  test('every reason for a rejection has a row', () => {
    expect(rows.map(([, reason]) => reason).toSorted()).toEqual([...rejectionReasons].toSorted());
    expect(Object.keys(rungOf).toSorted()).toEqual([...rejectionReasons].toSorted());
  });
});

describe('X001-9.1,2,4 each rung has a budget, and so has the exchange', () => {
  test.each([
    ['marker_absent', 'repairing', 2, 'exhausted'],
    ['incomplete', 'completing', 2, 'exhausted'],
    ['timed_out', 'shortening', 2, 'exhausted'],
    ['irrelevant', 'recontextualising', 1, 'exhausted'],
    ['overloaded', 'waiting', 3, 'unavailable'],
    ['cut', 'waiting', 3, 'unavailable'],
  ] as const)('%s may use %s %i times, then the exchange is %4$s', (reason, rung, budget, end) => {
    const rejection: Rejection = { reason, final: false, uncounted: false };
    expect(nextAction(rejection, { ...first, [rung]: budget - 1 }, defaultBudgets)).toBe(rung);
    expect(nextAction(rejection, { ...first, [rung]: budget }, defaultBudgets)).toBe(end);
  });

  test('the sixth attempt is the last, even if the rung has budget left', () => {
    const rejection: Rejection = { reason: 'marker_absent', final: false, uncounted: false };
    expect(nextAction(rejection, { ...nothingSpent, attempts: 5 }, defaultBudgets)).toBe('repairing');
    expect(nextAction(rejection, { ...nothingSpent, attempts: 6 }, defaultBudgets)).toBe('exhausted');
  });

  test('a final rejection uses no rung', () => {
    expect(nextAction({ reason: 'timed_out', final: true, uncounted: false }, first, defaultBudgets)).toBe(
      'exhausted',
    );
    expect(nextAction({ reason: 'overloaded', final: true, uncounted: false }, first, defaultBudgets)).toBe(
      'unavailable',
    );
  });

  test('a turn that we ended for the sake of another uses no rung but counts as an attempt', () => {
    const spent: Spent = { ...first, waiting: defaultBudgets.waiting };
    expect(nextAction({ reason: 'cut', final: false, uncounted: true }, spent, defaultBudgets)).toBe(
      'waiting',
    );
    expect(
      nextAction({ reason: 'cut', final: false, uncounted: true }, { ...spent, attempts: 6 }, defaultBudgets),
    ).toBe('unavailable');
  });
});

test('an exchange always ends, whatever the agent does', () => {
  const rejections = fc.record({
    reason: fc.constantFrom(...rejectionReasons),
    final: fc.boolean(),
    uncounted: fc.boolean(),
  });
  const property = fc.property(fc.array(rejections, { minLength: 7, maxLength: 20 }), (sequence) => {
    expect(attemptsUntilTheEnd(sequence)).toBeLessThanOrEqual(defaultBudgets.attempts);
  });
  fc.assert(property);
});

function attemptsUntilTheEnd(sequence: readonly Rejection[]): number {
  let spent = nothingSpent;
  for (const rejection of sequence) {
    spent = { ...spent, attempts: spent.attempts + 1 };
    const action = nextAction(rejection, spent, defaultBudgets);
    if (action === 'exhausted' || action === 'unavailable') return spent.attempts;
    const rung = rungOf[rejection.reason];
    if (rung !== null && !rejection.uncounted) spent = { ...spent, [rung]: spent[rung] + 1 };
  }
  return Infinity;
}
