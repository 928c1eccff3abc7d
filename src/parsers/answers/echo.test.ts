import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../diff/parse-diff.ts';
import { isEcho } from './echo.ts';
import { readAnswer } from './read-answer.ts';

const review = `[RESPONSE:REVIEW]

## STRENGTHS
- All of it is fine.

## ISSUES
None

## SUGGESTIONS
- Merge it soon.
`;

/** The review as the lines of a new file, each with text before and after it. */
function changeWith(before: string, behind: string, text = review) {
  const lines = text.split('\n').map((line) => `+${before}${line}${behind}`);
  const diff = `diff --git a/a.md b/a.md\nnew file mode 100644\n--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}\n`;
  const { files, faults } = parseUnifiedDiff(diff);
  expect(faults).toEqual([]);
  return { texts: [], change: files };
}

function blockOf(text: string) {
  const reading = readAnswer(text, '[RESPONSE:REVIEW]');
  if (reading.kind !== 'whole') throw new Error(reading.kind);
  return reading.block;
}

test.each([
  ['as it is', changeWith('', '')],
  ['in a comment', changeWith(' * ', '')],
  ['in string literals', changeWith("  '", "',")],
  ['in one string literal', changeWith('', '', `const text = ${JSON.stringify(review)};`)],
  ['in a commit message', { texts: [review], change: [] }],
])('a review that stands in the material %s is an echo', (_name, material) => {
  expect(isEcho(blockOf(review), material)).toBe(true);
});

test('an honest review of the same change is not an echo, with its own words or with none', () => {
  const material = changeWith('', '');
  expect(isEcho(blockOf(review.replace('All of it is fine', 'Short lines')), material)).toBe(false);
  const none = review.replace('- All of it is fine.', 'None').replace('- Merge it soon.', 'None');
  expect(isEcho(blockOf(none), material)).toBe(false);
});

test('text that is in no foreign material is not an echo', () => {
  expect(isEcho(blockOf(review), { texts: [], change: [] })).toBe(false);
});
