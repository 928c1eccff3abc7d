import { expect, test } from 'vitest';
import { z } from 'zod';
import type { MemoryEntry } from '../../tools/definition/interfaces.ts';
import { messagesOf } from './agent-memory.ts';

const toolCall = { id: 'c1', name: 'look', args: { at: 'a' } };

const entries = z.custom<readonly MemoryEntry[]>(Array.isArray);

/** Returns the messages and the warnings. */
function read(...memory: readonly unknown[]) {
  const warnings: string[] = [];
  const messages = messagesOf(entries.parse(memory), (text) => void warnings.push(text));
  return { messages, warnings };
}

test('a conversation becomes alternating messages; results and the user’s words are one', () => {
  expect(
    read(
      { role: 'user', text: 'look' },
      {
        role: 'assistant',
        segments: [
          { type: 'text', text: 'I look' },
          { type: 'tool_call', toolCall },
        ],
      },
      { role: 'tool', id: 'c1', content: 'a.ts', isError: false },
      { role: 'user', text: 'and now?' },
    ),
  ).toEqual({
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'look' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'I look' },
          { type: 'tool_call', id: 'c1', name: 'look', args: { at: 'a' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool_result', id: 'c1', content: 'a.ts', is_error: false },
          { type: 'text', text: 'and now?' },
        ],
      },
    ],
    warnings: [],
  });
});

test.each(['image', 'audio', 'video'])('the user’s %s is sent, with or without words', (type) => {
  const media = [{ type, data: 'AA==', mimeType: `${type}/x` }];
  const part = { type: 'media', kind: type, mime_type: `${type}/x`, data: 'AA==', name: type };
  expect(read({ role: 'user', text: '', media }).messages).toEqual([{ role: 'user', parts: [part] }]);
  expect(read({ role: 'user', text: 'look', media }).messages).toEqual([
    { role: 'user', parts: [part, { type: 'text', text: 'look' }] },
  ]);
});

test('an empty message of the user stays', () => {
  expect(read({ role: 'user', text: '' }).messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: '' }] },
  ]);
});

test('media and components of the model are mentioned on lines of their own', () => {
  const segments = [
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'ui', ui: { kind: 'chart' } },
  ];
  expect(read({ role: 'assistant', segments })).toEqual({
    messages: [
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: '\n[image]\n' },
          { type: 'text', text: '\n[ui: {"kind":"chart"}]\n' },
        ],
      },
    ],
    warnings: [],
  });
});

test('private values of the model return to their places; damaged ones do not', () => {
  const segments = [{ type: 'text', text: 'a' }];
  const partsWith = (opaque: unknown) =>
    read({ role: 'assistant', segments, metadata: { opaque } }).messages[0]?.parts;
  expect(partsWith([{ at: 0, value: 's' }])).toEqual([
    { type: 'opaque', value: 's' },
    { type: 'text', text: 'a' },
  ]);
  expect(partsWith([{ at: -1, value: 's' }])).toEqual([{ type: 'text', text: 'a' }]);
  expect(partsWith([{ value: 's' }])).toEqual([{ type: 'text', text: 'a' }]);
});

test.each([
  [{ type: 'smell' }, 'a segment of the unknown type "smell" was dropped'],
  [{ type: 'toString' }, 'a segment of the unknown type "toString" was dropped'],
  [{ type: 'text' }, 'a segment of the type text was dropped: it has no text'],
  [{ type: 'image', data: 'AA==' }, 'a segment of the type image was dropped: it has no mimeType'],
  [{ type: 'image', mimeType: 'image/png' }, 'a segment of the type image was dropped: it has no data'],
  [{ type: 'audio', data: 'AA==' }, 'a segment of the type audio was dropped: it has no mimeType'],
  [{ type: 'video', data: 'AA==' }, 'a segment of the type video was dropped: it has no mimeType'],
  [{ type: 'ui' }, 'a segment of the type ui was dropped: it has no ui'],
  [{ type: 'tool_call' }, 'a segment of the type tool_call was dropped: it has no toolCall'],
])('%o is dropped with a warning, and so is a message of such segments alone', (segment, warning) => {
  expect(read({ role: 'assistant', segments: [segment] })).toEqual({ messages: [], warnings: [warning] });
});

test('fields of other types are named and never read', () => {
  expect(read({ role: 'assistant', segments: [{ type: 'text', text: 'a', data: 'AA==', ui: {} }] })).toEqual({
    messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'a' }] }],
    warnings: ['data, ui of a segment of the type text was dropped'],
  });
});
