import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { show, type Editor } from './editor.ts';
import { message } from './run-updates.ts';

function createEditor() {
  const sent: unknown[] = [];
  const gone = new AbortController();
  const client = {
    request: () => Promise.reject(new Error('unused')),
    notify: async (...call: readonly unknown[]) => void sent.push(call),
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what an update uses of a client
  return { sent, gone, editor: { client, sessionId: 's', gone: gone.signal } as unknown as Editor };
}

const textsOf = (sent: readonly unknown[]): readonly string[] =>
  sent.map((call) => Object(call)[1].update.content.text);

test('each update is sent with its session, a short one whole', async () => {
  const { editor, sent } = createEditor();
  const updates: readonly SessionUpdate[] = [
    message('x'.repeat(32_000)),
    { sessionUpdate: 'plan', entries: [] },
    { sessionUpdate: 'tool_call', toolCallId: 'c', title: 't', content: [] },
    { sessionUpdate: 'tool_call_update', toolCallId: 'c', content: null },
    { sessionUpdate: 'tool_call_update', toolCallId: 'c' },
    { sessionUpdate: 'user_message_chunk', content: { type: 'image', data: 'A', mimeType: 'image/png' } },
  ];
  await show(editor, updates);
  expect(sent).toEqual(updates.map((update) => ['session/update', { sessionId: 's', update }]));
});

test('a longer text is sent in pieces, and no character is cut in two', async () => {
  const { editor, sent } = createEditor();
  await show(editor, [message(`${'x'.repeat(31_999)}😀\n${'y'.repeat(40_000)}`)]);
  expect(textsOf(sent)).toEqual(['x'.repeat(31_999), `😀\n${'y'.repeat(31_997)}`, 'y'.repeat(8003)]);
  expect(Object(sent[2])[1]).toEqual({ sessionId: 's', update: message('y'.repeat(8003)) });
});

test('nothing is sent to an editor that is gone', async () => {
  const { editor, sent, gone } = createEditor();
  gone.abort(new Error('it left'));
  await expect(show(editor, [message('x')])).rejects.toThrow('it left');
  expect(sent).toEqual([]);
});
