import { expect, test } from 'vitest';
import { applyQuestion, approvalQuestion, gateOf, letsEditsIn } from './gate-question.ts';

const approving = () => approvalQuestion('design', 'Text', String);
const applying = () => applyQuestion('Text');

test('a gate asks with its text, and its schema says how to answer', () => {
  expect(applying()).toMatchObject({
    kind: 'gate',
    text: 'Text',
    schema: { title: 'apply', type: 'string', description: 'apply or leave' },
  });
  expect(approving().schema).toMatchObject({
    title: 'approval',
    description: expect.stringContaining('revise'),
  });
});

test('a gate is known by the title of its schema, and another question has none', () => {
  const [approval, apply] = [approving(), applying()];
  expect([approval, apply].map(gateOf)).toEqual(['approval', 'apply']);
  expect(gateOf({ kind: 'clarification', schema: apply.schema })).toBeNull();
  expect(gateOf({ kind: 'gate', schema: { title: 'other' } })).toBeNull();
  expect(gateOf({ kind: 'gate', schema: null })).toBeNull();
});

test.each([
  [applying, 'apply', true],
  [applying, ' Apply!', true],
  [applying, 'leave', false],
  [applying, 'do not apply', false],
  [applying, true, false],
  [approving, 'apply', false],
])('only the answer apply to the question for it lets edits in (%#)', (ask, answer, isLet) => {
  expect(letsEditsIn(ask(), answer)).toBe(isLet);
});

test('an answer that a gate does not offer is refused', () => {
  const [approval, apply] = [approving(), applying()];
  expect([apply.parse('APPLY'), apply.parse('leave it'), approval.parse('approve')]).toEqual([
    true,
    false,
    'approve',
  ]);
  expect(() => apply.parse('applying')).toThrow('Invalid string');
  expect(() => approval.parse('revise review: more')).toThrow('Invalid string');
});
