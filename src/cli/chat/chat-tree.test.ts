import { expect, test } from 'vitest';
import { emptyHistory, type ConversationHistory } from '../../providers/history/history.ts';
import {
  appendMessage,
  editMessage,
  switchBranch,
  type NewMessage,
} from '../../providers/history/history-edit.ts';
import { branchEnds, renderBranches, renderThread, saidIn } from './chat-tree.ts';

test('the thread is numbered, one line per message, without tool calls and their results', () => {
  expect(renderThread(said(), 40)).toEqual([
    '#1 you: one',
    '#2 lead (stopped): the first line of ...',
    '#3 you: three',
  ]);
});

test('each branch is described by its last message, and the current one is marked', () => {
  const edited = editMessage(said(), 'm1', { content: 'another' }, { id: 'm9', rootId: 'root', now: later });
  expect(renderBranches(edited, 60)).toEqual([
    '  1  2026-11-21 09:30  3 messages  three',
    '* 2  2026-11-21 09:31  1 messages  another',
  ]);
  const back = switchBranch(edited, 'm1');
  expect(renderBranches(back, 60).map((line) => line[0])).toEqual(['*', ' ']);
  expect(branchEnds(back).map(({ id }) => id)).toEqual(['m5', 'm9']);
  expect(saidIn(back).map(({ id }) => id)).toEqual(['m1', 'm2', 'm5']);
});

test('an empty tree renders as no lines', () => {
  const history = emptyHistory({ conversationId: 'c', title: '', model: '', platform: '', now });
  expect([renderThread(history, 40), renderBranches(history, 40)]).toEqual([[], []]);
});

const now = '2026-11-21T09:30:00.000Z';
const later = '2026-11-21T09:31:00.000Z';

function said(): ConversationHistory {
  const messages: readonly NewMessage[] = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'the first line of\na long answer', status: 'aborted' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ tool_call_id: 't', function_name: 'Read', arguments: {} }],
    },
    { role: 'tool', content: 'read', tool_call_id: 't' },
    { role: 'user', content: 'three' },
  ];
  const empty = emptyHistory({ conversationId: 'c', title: '', model: '', platform: '', now });
  return messages.reduce<ConversationHistory>(
    (history, message, index) => appendMessage(history, message, { id: `m${index + 1}`, now }),
    empty,
  );
}
