/** Renders the tree of a conversation as lists from which a person picks by number. */
import {
  getConversationThread,
  type ConversationHistory,
  type HistoryMessage,
} from '../../providers/history/history.ts';
import { cutToWidth } from '../../text/display-width.ts';
import { onOneLine } from '../../text/one-line.ts';

/** Returns this branch's messages of the user and the lead; their positions are the numbers of `/history`. */
export function saidIn(history: ConversationHistory): readonly HistoryMessage[] {
  return getConversationThread(history).filter(
    ({ role, content }) => (role === 'user' || role === 'assistant') && content.trim() !== '',
  );
}

/** Returns the last message of every branch, in the order in which the branches began. */
export function branchEnds({ messages }: ConversationHistory): readonly HistoryMessage[] {
  return Object.values(messages).filter(({ children_ids }) => children_ids.length === 0);
}

export function renderThread(history: ConversationHistory, columns: number): readonly string[] {
  return saidIn(history).map((message, index) =>
    cutToWidth(`#${index + 1} ${speaker(message)}: ${onOneLine(message.content)}`, columns),
  );
}

export function renderBranches(history: ConversationHistory, columns: number): readonly string[] {
  const ends = branchEnds(history);
  return ends.map((end, index) => {
    const thread = saidIn({ ...history, current_node: end.id });
    const asked = thread.findLast(({ role }) => role === 'user')?.content ?? '';
    const mark = isOnBranch(history, end) ? '*' : ' ';
    const line = `${mark} ${index + 1}  ${end.created_at.slice(0, 16).replace('T', ' ')}  ${thread.length} messages  ${onOneLine(asked)}`;
    return cutToWidth(line, columns);
  });
}

function isOnBranch(history: ConversationHistory, end: HistoryMessage): boolean {
  return history.current_node === end.id;
}

function speaker({ role, status }: HistoryMessage): string {
  if (role === 'user') return 'you';
  return status === 'aborted' ? 'lead (stopped)' : 'lead';
}
