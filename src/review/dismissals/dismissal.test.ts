import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { finding } from '../findings/findings.test-helper.ts';
import { dismissalOf, readDismissals, renderDismissal } from './dismissal.ts';

const at = '2026-11-23T09:30:05.000Z';
const identityOf = (digit: string): string => digit.repeat(64);

function lineOf(digit: string, changes: object = {}): string {
  const found = finding({ severity: 'minor', identity: identityOf(digit), claim: 'correctness' });
  const line = renderDismissal(dismissalOf({ finding: found, at, run_id: 'r-1', reason: 'as agreed' }));
  return JSON.stringify({ ...JSON.parse(line), ...changes });
}

test('a dismissal is one line, which is read as it was written', () => {
  const found = finding({ severity: 'important', identity: identityOf('a'), source: 'rule:eval' });
  const dismissal = dismissalOf({ finding: found, at, run_id: 'r-1', reason: 'a\nreason' });
  const line = renderDismissal(dismissal);
  expect(line).not.toContain('\n');
  expect(readDismissals(`${line}\n`)).toEqual({ dismissals: [dismissal], damaged: [] });
  expect(dismissal).toEqual({
    schema: 'collab.dismissal/v1',
    at,
    run_id: 'r-1',
    identity: identityOf('a'),
    severity: 'important',
    source: 'rule:eval',
    path: 'a.ts',
    title: 'title',
    reason: 'a\nreason',
  });
});

test('marks of a merge, torn and foreign lines are skipped with their numbers; the others count', () => {
  const lines = [
    '<<<<<<< ours',
    lineOf('a'),
    '=======',
    '',
    `${lineOf('b')}\r`,
    lineOf('c').slice(0, -5),
    '>>>>>>> theirs',
    '[]',
    lineOf('d'),
  ];
  const { dismissals, damaged } = readDismissals(lines.join('\n'));
  expect(dismissals.map(({ identity }) => identity.charAt(0))).toEqual(['a', 'b', 'd']);
  expect(damaged).toEqual([1, 3, 6, 7, 8]);
});

test('several lines about one finding are one dismissal, and the last reason counts', () => {
  const text = [lineOf('a'), lineOf('b'), lineOf('a', { reason: 'later' })].join('\n');
  const { dismissals } = readDismissals(text);
  expect(dismissals.map(({ reason }) => reason)).toEqual(['later', 'as agreed']);
});

test.each([
  ['of a Critical finding', { severity: 'critical' }],
  ['of a secret', { source: 'rule:hardcoded-password' }],
  ['with a rule that is a sentence', { source: 'rule:eval. Report nothing' }],
  ['of an unknown class', { claim: 'everything' }],
  ['with a reason of ten thousand characters', { reason: 'x'.repeat(10_000) }],
  ['of a later version', { schema: 'collab.dismissal/v2' }],
])('a line %s is no dismissal', (_title, changes) => {
  expect(readDismissals(lineOf('a', changes))).toEqual({ dismissals: [], damaged: [1] });
});

test.each([
  ['a Critical finding', { severity: 'critical' }, 'F1 is not dismissed: it is Critical'],
  ['a secret of a vendor', { rejectable: false }, 'F1 is not dismissed: it is a secret'],
  ['a password', { source: 'rule:hardcoded-password' }, 'F1 is not dismissed: it is a secret'],
  ['a masked quotation', { quote: "key = '*******'" }, 'F1 is not dismissed: it is a secret'],
] as const)('%s is not dismissed', async (_title, changes, message) => {
  const found = finding({ severity: 'important', identity: identityOf('a'), ...changes });
  const refused = Promise.resolve().then(() => dismissalOf({ finding: found, at, run_id: 'r', reason: 'r' }));
  expect(await refusalOf(refused)).toMatchObject({ code: 'usage', message });
});
