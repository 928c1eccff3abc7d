import { expect, test } from 'vitest';
import { applyQuestion, approvalQuestion, gateOf, letsEditsIn } from './gate-question.ts';

const [approval, apply] = [approvalQuestion('design', 'Text', String), applyQuestion('Text')];

test('a gate is known by the title of its schema, and another question has none', () => {
  expect([approval, apply].map(gateOf)).toEqual(['approval', 'apply']);
  expect(gateOf({ kind: 'clarification', schema: apply.schema })).toBeNull();
  expect(gateOf({ kind: 'gate', schema: { title: 'other' } })).toBeNull();
  expect(gateOf({ kind: 'gate', schema: null })).toBeNull();
});

test.each([
  [apply, 'apply', true],
  [apply, ' Apply!', true],
  [apply, 'leave', false],
  [apply, 'do not apply', false],
  [apply, true, false],
  [approval, 'apply', false],
])('only the answer apply to the question for it lets edits in (%#)', (question, answer, isLet) => {
  expect(letsEditsIn(question, answer)).toBe(isLet);
});

test('an answer that a gate does not offer is refused', () => {
  expect([apply.parse('APPLY'), apply.parse('leave it'), approval.parse('approve')]).toEqual([
    true,
    false,
    'approve',
  ]);
  expect(() => apply.parse('applying')).toThrow('Invalid string');
  expect(() => approval.parse('revise review: more')).toThrow('Invalid string');
});
