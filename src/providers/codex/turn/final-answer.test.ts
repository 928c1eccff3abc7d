import { expect, test } from 'vitest';
import { finalAnswer } from './final-answer.ts';

const said = (text: string, phase: string | null = null) => ({ text, phase });

test.each([
  [[], null],
  [[said('one'), said('two')], 'two'],
  [[said('final', 'final_answer'), said('by the way', 'commentary')], 'final'],
  [[said('only a remark', 'commentary')], 'only a remark'],
  [[said('one'), said('  \n')], null],
])('of %o the answer is %o', (messages, answer) => {
  expect(finalAnswer(messages)).toBe(answer);
});
