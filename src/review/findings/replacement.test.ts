import { expect, test } from 'vitest';
import type { ReviewIssue } from '../../parsers/answers/answer-types.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { wholeFile } from '../../parsers/diff/whole-file.ts';
import { readIssues } from '../../parsers/issues/read-issues.ts';
import { placeInWhole, placeIssue, searchedIssue } from './anchors.ts';
import { mergeFindings } from './merge.ts';
import { replacementOf } from './replacement.ts';

const lines = [
  'function total(items) {',
  '  const sum = add(items);',
  '',
  "  log('sum', sum);",
  '  return round(sum);',
  '}',
  '- item',
  'shared();\r',
  'const secret = "\u202e";',
  'const key = "************";',
  '12: old',
];
const { files } = parseUnifiedDiff(
  [
    '--- a/a.ts',
    '+++ b/a.ts',
    `@@ -1,1 +1,${lines.length} @@`,
    '-const old = 1;',
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n'),
);

function proposed(quote: string, replacement: string, changes: Partial<ReviewIssue> = {}) {
  const issue: ReviewIssue = {
    severity: 'important',
    severityInferred: false,
    title: 'title',
    text: 'text',
    location: { path: 'a.ts', startLine: null, endLine: null },
    quote: { text: quote, side: 'new' },
    remedy: null,
    replacement,
    ...changes,
  };
  return replacementOf({ issue, place: placeIssue(issue, files) });
}

test.each([
  ['  return round(sum);', '  return sum;'],
  ['  return round(sum);', ''],
  ["  const sum = add(items);\n\n  log('sum', sum);", '  const sum = add(items);'],
  ['shared();', 'shared(1);\nshared(2);'],
  ['- item', '- items'],
  ['12: old', '12: new'],
  ['const key = "************";', 'const key = process.env.KEY;'],
  ['}', '}\n\n/*****************\n * The taxes.\n *****************/'],
  ['}', '}\n\n...args,\n**bold**'],
])('instead of exactly %j: %j', (quote, replacement) => {
  expect(proposed(quote, replacement)).toEqual({ replacement });
});

test('the same lines again are no replacement', () => {
  expect(proposed('  return round(sum);', '  return round(sum);')).toEqual({});
});

test.each([
  ['a masked value', '  return "************";'],
  ['a masked value in an address', '  open("https://hooks.example/services/*********/");'],
  ['the masked lines of a key', '************************\n****************'],
  ['a secret', "  return 'ghp_0123456789abcdefghijABCDEFGHIJ012345';"],
])('a replacement with %s is dropped, wherever its lines are', (_what, replacement) => {
  const masked = { replacement_unused: 'masked' };
  expect(proposed('  return round(sum);', replacement)).toEqual(masked);
  expect(proposed('nowhere();', replacement)).toEqual(masked);
});

test.each([
  ['with another indentation', 'return round(sum);', {}],
  ['that is not in the change', 'return floor(sum);', {}],
  ['with an omission', '  const sum = add(items);\n...\n  return round(sum);', {}],
  ['with line numbers', '5:   return round(sum);', {}],
  ['without a blank line of the file', "  const sum = add(items);\n  log('sum', sum);", {}],
  ['with a blank line that the file does not have', '  return round(sum);\n', {}],
  ['of a removed line', 'const old = 1;', { quote: { text: 'const old = 1;', side: 'old' as const } }],
  ['that is missing', '', { quote: null }],
])('lines of a quotation %s are not replaced', (_how, quote, changes) => {
  expect(proposed(quote, '  return sum;', changes)).toEqual({ replacement_unused: 'quotation' });
});

test.each([
  ['marks of a diff', '-  return round(sum);\n+  return sum;'],
  ['a mark', '+  return sum;'],
  ['a line number', '5:   return sum;'],
  ['an omission', '  begin();\n  ...\n  return sum;'],
  ['an omission in a comment', '  // ... the rest as before\n  return sum;'],
  ['an omission in markup', '  {/* … */}\n  return sum;'],
  ['invisible characters', '  return sum;\u202e'],
])('a replacement with %s is unclear', (_what, replacement) => {
  expect(proposed('  return round(sum);', replacement)).toEqual({ replacement_unused: 'unclear' });
});

test('lines with invisible characters are not replaced: the advisor saw codes instead', () => {
  expect(proposed('const secret = "<U+202E>";', 'const secret = "";')).toEqual({
    replacement_unused: 'unclear',
  });
});

test('lines outside the change are replaced if they were found exactly in the whole file', () => {
  const answer = [
    '### Minor',
    '1. **Title** — `a.ts:90`',
    '   ```',
    '     far(away);',
    '   ```',
    '   Class: performance',
    '   Replacement:',
    '   ```',
    '     near(by);',
    '   ```',
  ].join('\n');
  const reading = readIssues(answer);
  const [issue] = reading.kind === 'read' ? reading.issues : [];
  if (issue === undefined) throw new Error('no issue');
  const searched = searchedIssue({ issue, place: placeIssue(issue, files) }, files);
  if (searched === null) throw new Error('not searched');
  const place = placeInWhole(searched, wholeFile('a.ts', `${'\n'.repeat(89)}  far(away);\n`));
  if (place === null) throw new Error('not found');
  expect(mergeFindings([[{ issue, place }]])).toMatchObject([
    { claim: 'performance', start_line: 90, replacement: '  near(by);' },
  ]);
});
