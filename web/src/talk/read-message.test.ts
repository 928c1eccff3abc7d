import { expect, test } from 'vitest';
import { readMessage } from './read-message.ts';

test.each([
  ['a text', 'hello', 'hello'],
  ['parts', [{ type: 'text', text: 'one' }, 'two'], 'one\ntwo'],
  ['nothing', null, ''],
  ['what is not known', { image: 'x' }, '{"image":"x"}'],
])('the content of a message may be %s', (_name, content, text) => {
  expect(readMessage({ role: 'assistant', content }).text).toBe(text);
});

test('R003-20.3,5 calls of tools and an abort are read', () => {
  const calls = [{ tool_call_id: 't', function_name: 'Read', arguments: { path: 'a' } }, 'nonsense', null];
  expect(readMessage({ role: 'assistant', content: '', tool_calls: calls, status: 'aborted' })).toEqual({
    role: 'assistant',
    text: '',
    tools: [{ name: 'Read', args: '{"path":"a"}' }],
    isAborted: true,
  });
});

test('an unknown role is shown as the system’s', () => {
  expect(readMessage({ role: 'oracle', content: 'x' }).role).toBe('system');
});
