import { expect, test } from 'vitest';
import { isEmptyWord, saysNoProblem, saysNoProblemOfGrade } from './none-words.ts';

test.each([
  'None',
  'none.',
  'N/A',
  'n/a',
  'なし',
  '特になし',
  '特になし。',
  '-',
  '—',
  '- None',
  '1. None',
  '* N/A',
  '**None**',
  '(none)',
  '`None`',
  '- [ ] None',
])('X001-4.2 %j is present and empty', (text) => {
  expect([isEmptyWord(text), saysNoProblem(text), saysNoProblemOfGrade(text)]).toEqual([true, true, true]);
});

test.each([
  'No issues',
  'No issues found.',
  'no problems were detected',
  'There are no findings.',
  'Zero issues found in this diff',
  'None found.',
  'Nothing to report',
  'No critical, important or minor issues found.',
  'No critical/important/minor problems',
  '問題なし',
  '特に問題ありません。',
  '指摘事項はありません',
  '問題は見つかりませんでした。',
])('X001-3.6 %j says that there is no problem', (text) => {
  expect([isEmptyWord(text), saysNoProblem(text)]).toEqual([false, true]);
});

test.each([
  'No critical issues.',
  'There are no blocking problems',
  'No major or',
  '重大な問題はありません',
  'No other significant concerns noted',
])('X001-3.6 %j is no none for a whole review', (text) => {
  expect(saysNoProblem(text)).toBe(false);
});

test.each([
  'No critical issues.',
  'There are no blocking problems',
  '重大な問題はありません',
  'No other significant concerns noted',
])('X001-3.6 %j is a none under its grade', (text) => {
  expect(saysNoProblemOfGrade(text)).toBe(true);
});

test.each([
  '',
  'None of the inputs is checked',
  'No input validation',
  'No validation problems are caught',
  'No critical or important issues',
  'No critical, important or important issues',
  'No issues, but I could not open b.ts',
  'None\nNone',
  '> None',
  '---',
  `No issues found${' '.repeat(300)}.`,
  '問題があります',
])('X001-3.6 %j is a finding or nothing, never a none', (text) => {
  expect([isEmptyWord(text), saysNoProblem(text), saysNoProblemOfGrade(text)]).toEqual([false, false, false]);
});
