import { expect, test } from 'vitest';
import { takeAnswer } from './take-answer.ts';

const gate = { name: 'design/1/gate', schema: { type: 'string', pattern: '^(?:approve|stop)' } };
const choice = { name: 'choice', schema: { enum: ['yes', 'no'] } };
const list = { name: 'list', schema: { type: 'array', items: { type: 'string' } } };

test('a question that takes text takes it as it is written, without quotation marks', async () => {
  expect(await takeAnswer(gate, 'approve\n')).toBe('approve');
  expect(await takeAnswer(gate, '1. The first pays.\n2. A "RangeError".\n')).toBe(
    '1. The first pays.\n2. A "RangeError".',
  );
  expect(await takeAnswer(choice, 'yes')).toBe('yes');
});

test('any other question takes JSON, and says which', async () => {
  expect(await takeAnswer(list, '["a", "b"]')).toEqual(['a', 'b']);
  await expect(takeAnswer(list, 'a, b')).rejects.toMatchObject({
    message: 'the answer to list is not JSON',
    hint: 'its JSON Schema: {"type":"array","items":{"type":"string"}}',
  });
});

test('an empty answer is none', async () => {
  await expect(takeAnswer(gate, ' \n')).rejects.toThrow('the answer is empty');
});
