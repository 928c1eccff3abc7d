import { expect, test } from 'vitest';
import type { ModelMessage, SaidPart } from '../providers/contract/model.ts';
import { addPrompt, addReply, addResults, calledLately, lastPrompt, textIn } from './history.ts';

const text = (content: string) => ({ type: 'text', text: content }) as const;
const call = (name: string, id = name): SaidPart => ({ type: 'tool_call', id, name, args: {} });
const result = (id: string) => ({ type: 'tool_result', id, content: 'found', is_error: false }) as const;
const user = (...parts: Extract<ModelMessage, { role: 'user' }>['parts']): ModelMessage => ({
  role: 'user',
  parts,
});
const assistant = (...parts: SaidPart[]): ModelMessage => ({ role: 'assistant', parts });

test('a prompt after calls that never ran answers each of them as an error first', () => {
  const lost = assistant(text('let me look'), call('Read'), call('Grep'));
  expect(addPrompt([user(text('go')), lost], 'go on').slice(2)).toEqual([
    user(
      { type: 'tool_result', id: 'Read', content: expect.stringMatching(/\w/), is_error: true },
      { type: 'tool_result', id: 'Grep', content: expect.stringMatching(/\w/), is_error: true },
      text('go on'),
    ),
  ]);
});

test('a prompt that got no reply is not repeated, another one joins its message', () => {
  const history = addPrompt([], 'go');
  expect(addPrompt(history, 'go')).toBe(history);
  expect(addPrompt(history, 'stop')).toEqual([user(text('go'), text('stop'))]);
  const answered = addReply(history, [text('go')]);
  expect(addPrompt(answered, 'go')).toEqual([user(text('go')), assistant(text('go')), user(text('go'))]);
  const results = addResults([user(text('go')), assistant(call('a'))], [result('a')]);
  expect(addPrompt(results, 'go').at(-1)).toEqual(user(result('a'), text('go')));
});

test('an empty reply is not added', () => {
  const history = addPrompt([], 'go');
  expect(addReply(history, [])).toBe(history);
});

test('the last prompt is the last text of the user, whatever results follow it', () => {
  const asked = [user(text('first'), text('last')), assistant(text('hm'), call('a'))];
  expect(lastPrompt(asked)).toBe('last');
  expect(lastPrompt(addResults(asked, [result('a')]))).toBe('last');
  expect(lastPrompt([])).toBe('');
});

test('the tools called lately are those of the last replies', () => {
  const history = [
    assistant(call('old')),
    user(result('old')),
    assistant(call('one'), text('and'), call('two')),
    user(result('one')),
    assistant(text('so')),
  ];
  expect(calledLately(history, 2)).toEqual(new Set(['one', 'two']));
  expect(calledLately(history, 1)).toEqual(new Set());
  expect(calledLately(history, 9)).toEqual(new Set(['old', 'one', 'two']));
});

test('the text of a reply is that of its text parts', () => {
  expect(textIn([text('a'), call('b'), text('c')])).toBe('ac');
});
