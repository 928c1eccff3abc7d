import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryHistory, newHistory } from '../arbitrary-history.test-helper.ts';
import { appendMessage, type NewMessage } from './history-edit.ts';
import { getConversationThread, type ConversationHistory } from './history.ts';
import { systemTextIn, toModelMessages, withInput } from './history-messages.ts';
import { toHistory } from './messages-history.ts';
import type { ModelMessage } from '../contract/model.ts';

function historyOf(...messages: readonly NewMessage[]): ConversationHistory {
  return messages.reduce<ConversationHistory>(
    (history, message, index) =>
      appendMessage(history, message, { id: `m${index}`, now: '2026-01-01T00:00:00.000Z' }),
    newHistory(),
  );
}

function told(...messages: readonly NewMessage[]): readonly ModelMessage[] {
  return toModelMessages(getConversationThread(historyOf(...messages)), { model: 'model-1' });
}

const call = (id: string) => ({ tool_call_id: id, function_name: 'look', arguments: {} });
const text = (content: string) => ({ type: 'text', text: content });

test('X003-2.3,4 an aborted answer goes to the model as it stands, without calls that hang', () => {
  const [, said, heard] = told(
    { role: 'user', content: 'look' },
    { role: 'assistant', content: 'I am loo', tool_calls: [call('c1'), call('c2')], status: 'aborted' },
    { role: 'tool', content: 'two', tool_call_id: 'c2' },
    { role: 'user', content: 'go on' },
  );
  expect(said?.parts).toMatchObject([text('I am loo'), { id: 'c1' }, { id: 'c2' }]);
  expect(heard).toEqual({
    role: 'user',
    parts: [
      {
        type: 'tool_result',
        id: 'c1',
        content: 'The call was aborted: it has no result.',
        is_error: true,
      },
      { type: 'tool_result', id: 'c2', content: 'two', is_error: false },
      text('go on'),
    ],
  });
});

test('messages of one side are merged, and empty ones are dropped', () => {
  expect(
    told(
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: ' ' },
      { role: 'user', content: 'b' },
      { role: 'system', content: 'Be brief.' },
    ),
  ).toEqual([
    { role: 'user', parts: [text('(The conversation begins with your words.)')] },
    { role: 'assistant', parts: [text('Hello.')] },
    { role: 'user', parts: [text('a'), text('b')] },
  ]);
});

test('system messages are not part of the thread', () => {
  const history = historyOf({ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'a' });
  expect(systemTextIn(getConversationThread(history))).toBe('Be brief.');
});

test('private values of a model are sent to no other model', () => {
  const thread = getConversationThread(
    historyOf(
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', opaque: { model: 'model-1', values: [{ signature: 'x' }] } },
    ),
  );
  const partsFor = (model: string) => toModelMessages(thread, { model })[1]?.parts;
  expect(partsFor('model-1')).toEqual([{ type: 'opaque', value: { signature: 'x' } }, text('b')]);
  expect(partsFor('model-2')).toEqual([text('b')]);
});

test('an attachment precedes the text, in the caller’s form', () => {
  const picture = { type: 'image' as const, mime_type: 'image/png', url: '/a.png', name: 'a.png' };
  const thread = getConversationThread(historyOf({ role: 'user', content: 'see', attachments: [picture] }));
  const [message] = toModelMessages(thread, { attachment: ({ name }) => ({ type: 'text', text: name }) });
  expect(message?.parts).toEqual([text('a.png'), text('see')]);
  expect(toModelMessages(thread)[0]?.parts).toEqual([text('see')]);
});

test('every history becomes valid for a model, with or without another message', () => {
  fc.assert(
    fc.property(arbitraryHistory(), fc.boolean(), (history, more) => {
      const messages = toModelMessages(getConversationThread(history));
      const whole = more ? withInput(messages, [{ type: 'text', text: 'next' }]) : messages;
      expect(refusals(whole)).toEqual([]);
    }),
  );
});

test('a history made from a model’s messages converts back to them', () => {
  fc.assert(
    fc.property(arbitraryHistory(), (history) => {
      const messages = toModelMessages(getConversationThread(history), { model: 'model-1' });
      const again = toHistory(messages, { model: 'model-1', platform: 'echo', conversationId: 'c' });
      expect(toModelMessages(getConversationThread(again), { model: 'model-1' })).toEqual(
        messages.map(joined),
      );
    }),
  );
});

/** Texts of one message of an assistant are one text in a history. */
function joined(message: ModelMessage): ModelMessage {
  if (message.role === 'user') return message;
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const rest = message.parts.filter(({ type }) => type !== 'text');
  return {
    role: 'assistant',
    parts: [...(texts.length === 0 ? [] : [{ type: 'text' as const, text: texts.join('') }]), ...rest],
  };
}

/** Messages that a vendor would refuse; each demands what `toModelMessages` promises. */
function refusals(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap((message, index) => {
    const asked = message.role === 'assistant' ? idsOf(message, 'tool_call') : [];
    const answers = (messages[index + 1]?.parts ?? []).slice(0, asked.length);
    const before = messages[index - 1];
    const open = before?.role === 'assistant' ? idsOf(before, 'tool_call') : [];
    return [
      ...(message.role === (index % 2 === 0 ? 'user' : 'assistant') ? [] : [`${index}: out of turn`]),
      ...(message.parts.length > 0 ? [] : [`${index}: empty`]),
      ...(isDeepStrictEqual(answers.map(idOf), asked) ? [] : [`${index}: calls without answers`]),
      ...(idsOf(message, 'tool_result').every((id) => open.includes(id))
        ? []
        : [`${index}: answers to nothing`]),
    ];
  });
}

function idsOf(message: ModelMessage, type: 'tool_call' | 'tool_result'): readonly string[] {
  return message.parts.filter((part) => part.type === type).map(idOf);
}

function idOf(part: ModelMessage['parts'][number]): string {
  return part.type === 'tool_call' || part.type === 'tool_result' ? part.id : part.type;
}
