import { expect, test } from 'vitest';
import { gateAnswerPattern, readGateAnswer } from './gate-answer.ts';

test.each([
  ['approve', { kind: 'approve', comment: null }],
  ['Approve: but keep the old name\n', { kind: 'approve', comment: 'but keep the old name' }],
  ['approve it as it is', { kind: 'approve', comment: 'it as it is' }],
  ['revise: use a queue\nand a limit', { kind: 'revise', phase: null, comment: 'use a queue\nand a limit' }],
  ['revise requirements: forget mail', { kind: 'revise', phase: 'requirements', comment: 'forget mail' }],
  ['revise the name', { kind: 'revise', phase: null, comment: 'the name' }],
  ['stop', { kind: 'stop', comment: null }],
  ['Stop. Too large', { kind: 'stop', comment: 'Too large' }],
  [' \n\tapprove, thanks', { kind: 'approve', comment: 'thanks' }],
  ['revise \t Design : split it ', { kind: 'revise', phase: 'design', comment: 'split it' }],
  ['revise review\n\nlook again', { kind: 'revise', phase: 'review', comment: 'look again' }],
  ['revise implementation it hangs', { kind: 'revise', phase: 'implementation', comment: 'it hangs' }],
  ['revise:\nall', { kind: 'revise', phase: null, comment: 'all' }],
  ['approve requirements', { kind: 'approve', comment: null }],
] as const)('reads %j', (text, answer) => {
  expect(readGateAnswer(text)).toEqual(answer);
  expect(new RegExp(gateAnswerPattern).test(text)).toBe(true);
});

test.each(['', 'yes', 'approved', 'disapprove', 'nonstop', 'revise', 'revise design', 'I would revise it'])(
  'an answer that decides nothing is none: %j',
  (text) => {
    expect(readGateAnswer(text)).toBeNull();
  },
);

test.each(['', 'yes', 'approved', 'disapprove', 'I would revise it'])(
  'the pattern for forms refuses %j too',
  (text) => {
    expect(new RegExp(gateAnswerPattern).test(text)).toBe(false);
  },
);
