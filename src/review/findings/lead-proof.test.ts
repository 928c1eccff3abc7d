import { expect, test } from 'vitest';
import { leadProofOf } from './lead-proof.ts';

const verdict = 'rejected';

test('a rejection shows its reason, its place and the lines of the place', () => {
  const evidence =
    'The sum is checked.\nSee here:\nsrc/total.ts:3-4\nif (sum < 0) throw new Error();\nreturn sum;';
  expect(leadProofOf({ verdict, evidence })).toEqual({
    reason: 'The sum is checked.\nSee here:',
    place: 'src/total.ts:3-4',
    path: 'src/total.ts',
    code: 'if (sum < 0) throw new Error();\nreturn sum;',
  });
});

test('a place of one line is followed by one line', () => {
  expect(leadProofOf({ verdict, evidence: 'No.\na b.ts:7\nreturn sum;' })).toMatchObject({
    place: 'a b.ts:7',
    code: 'return sum;',
  });
});

test.each([
  ['a verdict that is no rejection', { verdict: 'confirmed', evidence: 'a.ts:1\nx' }],
  ['a rejection without evidence', { verdict }],
  ['a place without its lines', { verdict, evidence: 'No.\na.ts:1' }],
  ['a place with fewer lines than it names', { verdict, evidence: 'No.\na.ts:1-3\nx\ny' }],
  ['a place with more lines than it names', { verdict, evidence: 'No.\na.ts:1\nx\ny' }],
  ['words alone', { verdict, evidence: 'No.\nIt is a fixture.' }],
] as const)('%s has no proof', (_name, finding) => {
  expect(leadProofOf(finding)).toBeNull();
});
