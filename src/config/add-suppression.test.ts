import { expect, test } from 'vitest';
import { refusalOf } from '../../test/fixtures/refusal-of.ts';
import { addSuppression, type AddOptions } from './add-suppression.ts';
import { checkSuppressions } from './suppressions-file.ts';

const identity = '0'.repeat(64);

function added(text: string, changes: Partial<AddOptions['entry']> = {}): string {
  const entry = { identity, severity: 'minor', reason: 'as agreed', ...changes } as const;
  return addSuppression(text, { entry, comment: 'a.ts:1: a title', name: 'file.yaml' });
}

test('a file is made with one entry, and the finding is named above it', () => {
  expect(added('', { expires: '2027-01-31' })).toBe(
    [
      'suppressions:',
      '  # a.ts:1: a title',
      `  - identity: "${identity}"`,
      '    severity: minor',
      '    reason: as agreed',
      '    expires: 2027-01-31',
      '',
    ].join('\n'),
  );
});

test('an entry goes to the end; comments and the other entries stay', () => {
  const text = [
    '# Ours.',
    'suppressions:',
    '  - identity: 3a52da30c451 # the bank',
    '    reason: >-',
    '      the bank rounds',
    '      by itself',
    '',
    '# The end.',
    '',
  ].join('\n');
  const result = added(text);
  for (const kept of ['# Ours.', '# the bank', '# The end.']) expect(result).toContain(kept);
  expect(checkSuppressions(result, 'f').map(({ reason }) => reason)).toEqual([
    'the bank rounds by itself',
    'as agreed',
  ]);
});

test.each([
  ['an empty list', 'suppressions: []\n', 1],
  ['only a comment', '# nothing yet\n', 1],
  ['a list in brackets', 'suppressions: [{ path: a, title: b, reason: c }]\n', 2],
  ['line ends of Windows', 'suppressions:\r\n  - { path: a, title: b, reason: c }\r\n', 2],
])('%s can be added to', (_title, text, entries) => {
  expect(checkSuppressions(added(text), 'f')).toHaveLength(entries);
});

test.each(['x: y # z', '"quoted"', '- a list', '*alias', '🚀', 'a # b', "it's", '{}', '---', 'no', '1.5'])(
  'the reason %s is read as it was written',
  (reason) => {
    const text = added(added('', { reason }), { reason: 'second' });
    expect(checkSuppressions(text, 'f').map((entry) => entry.reason)).toEqual([reason, 'second']);
  },
);

test('a file that is no suppression file is refused and stays as it is', async () => {
  const refused = Promise.resolve().then(() => added('suppresions: []\n'));
  expect(await refusalOf(refused)).toMatchObject({
    code: 'config',
    message: expect.stringContaining('file.yaml:1'),
  });
});
