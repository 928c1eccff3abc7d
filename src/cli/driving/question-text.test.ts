import { expect, test } from 'vitest';
import { renderPatch } from '../../text/patch.ts';
import { renderQuestionText } from './question-text.ts';

const long = Array.from({ length: 60 }, (_, index) => `+line ${index + 1}`).join('\n');
const texts = (lines: ReturnType<typeof renderQuestionText>['whole'] | null) =>
  lines?.map((line) => line.map(({ text }) => text).join(''));

test('a long patch is folded at 30 lines, and the whole is kept', () => {
  const asked = ['1 file changed', renderPatch(long, 'collab apply r1 --patch'), 'Apply **these** changes?'];
  const { whole, folded } = renderQuestionText(asked.join('\n\n'), 80);
  expect(texts(folded)).toEqual([
    '1 file changed',
    '',
    ...Array.from({ length: 29 }, (_, index) => `  +line ${index + 1}`),
    '  … 31 more lines',
    '',
    'Apply these changes?',
  ]);
  expect(texts(whole)).toContain('  +line 60');
  expect(texts(whole)).toHaveLength(64);
});

test('the list of changed files keeps its lines', () => {
  const asked = ['a.js (added, +1 -0)\nb.js (added, +2 -0)', renderPatch('+new', 'it')].join('\n\n');
  expect(texts(renderQuestionText(asked, 80, { keepsLines: true }).whole)).toEqual([
    'a.js (added, +1 -0)',
    'b.js (added, +2 -0)',
    '',
    '  +new',
  ]);
});

test('a short patch is not folded, and is colored as a diff', () => {
  const { whole, folded } = renderQuestionText(renderPatch('-old\n+new', 'it'), 80);
  expect(folded).toBeNull();
  expect(whole.map((line) => line.at(-1)?.styles)).toEqual([['red'], ['green']]);
});

test('a fence inside a patch does not end it', () => {
  expect(texts(renderQuestionText(renderPatch('+```\n+a', 'it'), 80).whole)).toEqual(['  +```', '  +a']);
});
