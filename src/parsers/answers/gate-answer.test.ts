import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phases } from '../../tags/tags.ts';
import {
  gateAnswerForm,
  gateAnswerPattern,
  readGateAnswer,
  renderGateAnswer,
  type GateAnswer,
} from './gate-answer.ts';

test.each([
  ['approve', { kind: 'approve', comment: null }],
  ['Approve: but keep the old name\n', { kind: 'approve', comment: 'but keep the old name' }],
  ['approve it as it is', { kind: 'approve', comment: 'it as it is' }],
  ['revise: use a queue\nand a limit', { kind: 'revise', phase: null, comment: 'use a queue\nand a limit' }],
  ['revise requirements: forget mail', { kind: 'revise', phase: 'requirements', comment: 'forget mail' }],
  ['revise the name', { kind: 'revise', phase: null, comment: 'the name' }],
  ['APPROVE', { kind: 'approve', comment: null }],
  ['Revise Design, smaller', { kind: 'revise', phase: 'design', comment: 'smaller' }],
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
  expect(new RegExp(gateAnswerPattern('review')).test(text)).toBe(true);
});

test.each([
  '',
  'yes',
  'approved',
  'disapprove',
  'nonstop',
  'revise',
  'revise:',
  'revise design',
  'revise design: \n',
  'I would revise it',
])('an answer that decides nothing is none: %j', (text) => {
  expect(readGateAnswer(text)).toBeNull();
  expect(new RegExp(gateAnswerPattern('design')).test(text)).toBe(false);
});

test('a later phase cannot be revised; a word that only starts like one belongs to the comment', () => {
  expect([
    takenInDesign('revise implementation: smaller'),
    takenInDesign('revise review: smaller'),
    takenInDesign('revise reviews'),
  ]).toEqual([false, false, true]);
  expect(gateAnswerForm('requirements')).toBe('approve, revise: <what to change>, or stop');
});

function takenInDesign(text: string): boolean {
  return new RegExp(gateAnswerPattern('design')).test(text);
}

const words = fc
  .string({ unit: 'binary' })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const comment = fc.option(words);
const answers: fc.Arbitrary<GateAnswer> = fc.oneof(
  fc.record({ kind: fc.constantFrom('approve' as const, 'stop' as const), comment }),
  fc.record({
    kind: fc.constant('revise' as const),
    phase: fc.option(fc.constantFrom(...phases)),
    comment: words,
  }),
);

test('a rendered answer is read back with the same meaning, whatever its comment starts with', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const text = renderGateAnswer(answer);
      expect(readGateAnswer(text)).toEqual(answer);
      expect(new RegExp(gateAnswerPattern('review')).test(text)).toBe(true);
    }),
  );
  expect(readGateAnswer(renderGateAnswer({ kind: 'approve', comment: 'design is good' }))).toEqual({
    kind: 'approve',
    comment: 'design is good',
  });
  expect(readGateAnswer(renderGateAnswer({ kind: 'revise', phase: null, comment: ': design' }))).toEqual({
    kind: 'revise',
    phase: null,
    comment: ': design',
  });
});
