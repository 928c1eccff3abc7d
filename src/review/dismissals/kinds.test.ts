import { expect, test } from 'vitest';
import { finding } from '../findings/findings.test-helper.ts';
import { dismissalOf } from './dismissal.ts';
import { dismissedKinds } from './kinds.ts';

function dismissed(count: number, changes: Parameters<typeof finding>[0]) {
  return Array.from({ length: count }, (_, index) =>
    dismissalOf({
      finding: finding({
        severity: 'minor',
        identity: `${index}`.repeat(64),
        title: `title ${index}`,
        ...changes,
      }),
      at: `2026-11-2${index}T09:30:05.000Z`,
      run_id: 'r-1',
      reason: `reason ${index}`,
    }),
  );
}

test('two dismissals are no kind; three are, with the latest first', () => {
  const changes = { claim: 'performance', path: 'src/pay/a.ts' } as const;
  expect(dismissedKinds(dismissed(2, changes))).toEqual([]);
  expect(dismissedKinds(dismissed(4, changes))).toEqual([
    {
      rule: null,
      claim: 'performance',
      folder: 'src/pay',
      count: 4,
      examples: [3, 2, 1].map((index) => ({ title: `title ${index}`, reason: `reason ${index}` })),
    },
  ]);
});

test('a kind is a rule anywhere, or a class in one folder', () => {
  const rule = { source: 'rule:eval', claim: 'security' } as const;
  const kinds = dismissedKinds([
    ...dismissed(2, { ...rule, path: 'a/a.ts' }),
    ...dismissed(2, { ...rule, path: 'b/b.ts' }),
    ...dismissed(2, { claim: 'tests', path: 'a/a.ts' }),
    ...dismissed(2, { claim: 'tests', path: 'b/b.ts' }),
    ...dismissed(2, { claim: 'clarity', path: 'a/a.ts' }),
    ...dismissed(3, { claim: 'tests', path: 'top.ts' }),
    ...dismissed(9, { path: 'a/a.ts' }),
    ...dismissed(9, { claim: 'tests', path: null }),
  ]);
  expect(kinds.map(({ rule: id, claim, folder, count }) => [id, claim, folder, count])).toEqual([
    ['eval', null, null, 4],
    [null, 'tests', '.', 3],
  ]);
});

test('of many kinds, the eight largest count', () => {
  const many = Array.from({ length: 12 }, (_, index) =>
    dismissed(3 + (index === 11 ? 1 : 0), { claim: 'tests', path: `${index}/a.ts` }),
  );
  const kinds = dismissedKinds(many.flat());
  expect([kinds.length, kinds[0]?.folder]).toEqual([8, '11']);
});

test('long titles and reasons are shortened: all kinds are in each request', () => {
  const long = dismissed(3, { claim: 'tests', title: `${'x'.repeat(198)}🚀${'x'.repeat(200)}` });
  const [kind] = dismissedKinds(long.map((one) => ({ ...one, reason: 'y'.repeat(1000) })));
  expect(kind?.examples[0]).toEqual({ title: `${'x'.repeat(198)}…`, reason: `${'y'.repeat(299)}…` });
});
