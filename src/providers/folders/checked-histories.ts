/** Histories for checking a client: threads, branches, calls and aborted answers, with a unique word in each message. */
import { appendMessage, editMessage, switchBranch, type NewMessage } from '../history/history-edit.ts';
import { emptyHistory, type ConversationHistory, type HistoryMessage } from '../history/history.ts';

/** Returns the same histories every time, generated from fixed numbers that look random. */
export function checkedHistories(): readonly ConversationHistory[] {
  return Array.from({ length: 20 }, (_, seed) => grow(seed));
}

/** Returns the words of a message that a request must contain. */
export function wordsOf({ content, role }: HistoryMessage): readonly string[] {
  return content === '' || role === 'system' ? [] : [content];
}

const now = '2026-01-01T00:00:00.000Z';

function grow(seed: number): ConversationHistory {
  const choose = choices(seed + 1);
  let history = emptyHistory({
    conversationId: `check-${seed}`,
    title: 'Check',
    model: 'm',
    platform: 'check',
    now,
  });
  for (let index = 0; index < seed; index += 1) {
    const id = `msg_${String(seed).padStart(6, '0')}${String(index).padStart(6, '0')}`;
    const content = `word-${seed}-${index}-x`;
    const ids = Object.keys(history.messages);
    const some = ids[choose(Math.max(1, ids.length))];
    const kind = choose(6);
    if (kind === 0 && some !== undefined && history.messages[some]?.role === 'user') {
      history = editMessage(history, some, { content }, { id, now, rootId: `${id}root` });
    } else if (kind === 1 && some !== undefined) history = switchBranch(history, some);
    else history = appendMessage(history, nextMessage(history, content, choose(2) === 0), { id, now });
  }
  return history;
}

/** Returns the next message: the answer to an open call; otherwise the user and the assistant alternate. */
function nextMessage(history: ConversationHistory, content: string, calls: boolean): NewMessage {
  const last = history.current_node === null ? undefined : history.messages[history.current_node];
  const call = last?.tool_calls?.[0];
  if (call !== undefined) return { role: 'tool', content, tool_call_id: call.tool_call_id };
  if (last === undefined || last.role === 'assistant') return { role: 'user', content };
  if (!calls) return { role: 'assistant', content };
  const id = `call_${content}`;
  return {
    role: 'assistant',
    content,
    tool_calls: [{ tool_call_id: id, function_name: 'look', arguments: {} }],
  };
}

function choices(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
