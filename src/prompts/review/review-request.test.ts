import { expect, test } from 'vitest';
import { modifiedFile } from '../../parsers/diff/drawn-change.test-helper.ts';
import { closingLineIn } from '../../tags/closing-line.ts';
import { renderRequest } from '../render-request.ts';
import { readChecklists } from './checklists.ts';
import { noBrief, reviewRequest } from './review-request.ts';

const file = (path: string) => modifiedFile(path, [[['added', `in ${path}`]]]);
const files = [file('a.ts'), file('b.ts')];
const brief = {
  ...noBrief,
  task: 'Round once.',
  manifest: 'a.ts (modified, +1 −0)\nb.ts (modified, +1 −0)',
  messages: 'Round once',
  checklists: readChecklists(files),
};

/** The request of a chunk with one file, as a run with these nonces sends it. */
function promptOf(index: number, digit: string): string {
  const request = reviewRequest(brief, files.slice(index, index + 1), `evidence ${index}`);
  const nonces = { nonce: digit.repeat(16), closing: digit.repeat(15) + String(index) };
  return renderRequest(request, { budgetCharacters: null, ...nonces }).text;
}

function equalBeginning(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}

test.each([
  ['two chunks', promptOf(0, '1'), promptOf(1, '2')],
  ['the same chunk in two runs', promptOf(0, '1'), promptOf(0, '3')],
])('%s begin with the same text: guide, form, rules and checklist', (_what, left, right) => {
  const beginning = equalBeginning(left, right);
  for (const part of ['## What to report', '## How to answer', 'Rules:', '## Checklist for TypeScript'])
    expect(beginning).toContain(part);
  const beforeDiff = left.indexOf('## The change under review (data)');
  expect(beginning.length / beforeDiff).toBeGreaterThan(0.6);
});

test('nothing drawn for a request is in it before the lead asks', () => {
  const text = promptOf(0, '7');
  expect(text.indexOf('7777777')).toBeGreaterThan(text.indexOf('## What the lead asks'));
});

test('the form has a gap for the code of the closing line, which the last line of the request fills', () => {
  const text = promptOf(0, '7');
  const line = `END ${'7'.repeat(15)}0`;
  expect(text.match(/END <code>/g)).toHaveLength(2);
  expect(text.trimEnd().split('\n').at(-1)).toBe(
    `That is all. In the closing line, \`<code>\` is \`${line.slice(4)}\`. Answer now with the block that begins with \`[RESPONSE:REVIEW]\` and ends with \`${line}\`.`,
  );
  expect(closingLineIn(text)).toBe(line);
});

test('the guide says what a finding is, that the review is complete, and where real problems belong', () => {
  const { guide } = reviewRequest(brief, files);
  for (const sentence of [
    /This change causes it/,
    /You can name the failure/,
    /Do not stop at the first finding\./,
    /Do not report faults that were there before/,
    /one that is only in `STRENGTHS` or `SUGGESTIONS` is not counted/,
  ])
    expect(guide).toMatch(sentence);
  expect(guide).not.toMatch(/\[(?:REQUEST|RESPONSE|CONSULT)/);
});
