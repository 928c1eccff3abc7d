import { expect, test } from 'vitest';
import { applyQuestion, approvalQuestion } from './gate-question.ts';
import { takeAnswer } from './parse-user-answer.ts';

const gate = { name: 'design/1/gate', schema: approvalQuestion('design', '', String).schema };
const apply = { name: 'apply/gate', schema: applyQuestion('').schema };
const free = { name: 'requirements/1/gate', schema: { type: 'string', minLength: 1 } };
const forms = {
  approve: 'write approve, revise: <what to change>, revise requirements: <what to change>, or stop',
};
const choice = { name: 'choice', schema: { enum: ['yes', 'no'] } };
const list = { name: 'list', schema: { type: 'array', items: { type: 'string' } } };

test('a text question takes an answer as written, without quotation marks', async () => {
  expect(await takeAnswer(gate, 'approve\n')).toBe('approve');
  expect(await takeAnswer(free, '1. The first pays.\n2. A "RangeError".\n')).toBe(
    '1. The first pays.\n2. A "RangeError".',
  );
  expect(await takeAnswer(choice, 'yes')).toBe('yes');
});

test.each([
  [gate, 'yes', '"yes" is not an answer to design/1/gate', forms.approve],
  [gate, 'revise', '"revise" is not an answer to design/1/gate', forms.approve],
  [gate, 'revise review: all', '"revise review: all" is not an answer to design/1/gate', forms.approve],
  [apply, 'approve', '"approve" is not an answer to apply/gate', 'write apply or leave'],
  [choice, 'maybe', '"maybe" is not an answer to choice', 'write yes or no'],
])('what a gate does not take is refused in words: %#', async (asked, answer, message, hint) => {
  await expect(takeAnswer(asked, answer)).rejects.toMatchObject({ message, hint });
});

test('any other question requires JSON, and describes it', async () => {
  expect(await takeAnswer(list, '["a", "b"]')).toEqual(['a', 'b']);
  await expect(takeAnswer(list, 'a, b')).rejects.toMatchObject({
    message: 'the answer to list is not JSON',
    hint: 'its JSON Schema: {"type":"array","items":{"type":"string"}}',
  });
});

test('an empty answer is rejected', async () => {
  await expect(takeAnswer(gate, ' \n')).rejects.toThrow('the answer is empty');
});
