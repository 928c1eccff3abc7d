import { expect, test } from 'vitest';
import { readFixAnswers } from './fix-answers.ts';

const ids = ['F1', 'F2', 'F12'];

test.each([
  ['the form that is asked for', 'F2: fixed'],
  ['a list item', '- F2: fixed, with a guard'],
  ['a numbered item', '2. F2 — Fixed.'],
  ['emphasis', '**F2**: **fixed**'],
  ['code', '`F2`: `fixed`'],
  ['a heading', '### F2: Fixed'],
  ['a row of a table', '| F2 | fixed | src/a.ts |'],
  ['a small letter and a zero', 'f02 - fixed'],
])('a fix in %s is read', (_title, text) => {
  expect(readFixAnswers(`I looked.\n${text}\n`, ids)).toEqual([{ id: 'F2', says: 'fixed', reason: '' }]);
});

test.each([
  ['the form that is asked for', 'F12: refused: the caller checks it', 'the caller checks it'],
  ['a dash', '- **F12** – refused – the caller checks it.', 'the caller checks it.'],
  ['another word', "F12: won't fix (the caller checks it)", 'the caller checks it)'],
  ['the next line', 'F12: refused\n\n  The caller checks it.', 'The caller checks it.'],
  ['a table', '| F12 | refused | the caller checks it |', 'the caller checks it'],
])('a refusal in %s is read with its reason', (_title, text, reason) => {
  expect(readFixAnswers(text, ids)).toEqual([{ id: 'F12', says: 'refused', reason }]);
});

test('other findings, prose and refusals without a reason are no answers', () => {
  expect(readFixAnswers('F3: fixed\nF1 is fixed\nF1 and F2: see above', ids)).toEqual([]);
  expect(readFixAnswers('F1: refused\nF2: fixed', ids)).toEqual([{ id: 'F2', says: 'fixed', reason: '' }]);
});

test('the last answer counts, and the answers have the order of the findings', () => {
  const text = 'F12: fixed\nF1: fixed\n…\nF1: refused: it is generated';
  expect(readFixAnswers(text, ids)).toEqual([
    { id: 'F1', says: 'refused', reason: 'it is generated' },
    { id: 'F12', says: 'fixed', reason: '' },
  ]);
});
