import { expect, test } from 'vitest';
import { maxAnswerBytes } from '../markdown/answer-size.ts';
import { readOutgoing } from './read-outgoing.ts';

test.each([
  ['[CONSULT:DESIGN]\nOne\n\ntwo.\n', '[CONSULT:DESIGN]', 'One\n\ntwo.'],
  ['Before.\n\n[REQUEST:REVIEW]: Look at it.', '[REQUEST:REVIEW]', 'Look at it.'],
  ['[CONSULT:IMPLEMENTATION]\n', '[CONSULT:IMPLEMENTATION]', ''],
  ['[CONSULT:DESIGN]\nfirst\n\n[CONSULT:REQUIREMENTS]\nsecond', '[CONSULT:REQUIREMENTS]', 'second'],
  ['[CONSULT:DESIGN]\nasked\n\n[RESPONSE:DESIGN]\nanswered', '[CONSULT:DESIGN]', 'asked'],
  ['[RESPONSE:DESIGN]\nanswered\n\n[CONSULT:DESIGN]\nasked', '[CONSULT:DESIGN]', 'asked'],
])('X001-17.1 the last request of %j counts, up to the next tag', (output, tag, text) => {
  expect(readOutgoing(output)).toEqual({ tag, text });
});

test.each([
  '',
  'Nothing is asked.',
  '[RESPONSE:DESIGN]\nan answer',
  '[CONSULT:CLAUDE:CONTEXT]\nWhy?',
  '> [CONSULT:DESIGN]\n> quoted',
])('X001-17.1 %j sends no request', (output) => {
  expect(readOutgoing(output)).toBeNull();
});

test('an output above the limit is not searched', () => {
  const request = '[CONSULT:DESIGN]\n';
  const most = request + 'a'.repeat(maxAnswerBytes - request.length);
  expect(readOutgoing(most)?.tag).toBe('[CONSULT:DESIGN]');
  expect(readOutgoing(`${most}a`)).toBeNull();
});
