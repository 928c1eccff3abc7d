/** Edits a history: each function returns a new one, keeps every message and obeys the rules of `checkHistory`. */
import { ValueError } from '../../errors/provider-error.ts';
import type { ConversationHistory, HistoryMessage } from './history.ts';
import { soundHistory } from './history-integrity.ts';

/** A message without a place in the tree. */
export type NewMessage = Pick<HistoryMessage, 'role' | 'content'> &
  Partial<
    Pick<HistoryMessage, 'attachments' | 'tool_calls' | 'tool_call_id' | 'is_error' | 'opaque' | 'status'>
  >;

/** A change's external values. */
export interface Moment {
  /** Id of the new message: see `newMessageId`. */
  readonly id: string;
  /** UTC with milliseconds. Setting the clock back changes no order: no message is older than its parent. */
  readonly now: string;
}

/** Appends a message after the current one. @throws ValueError for a message that is not allowed there */
export function appendMessage(
  history: ConversationHistory,
  message: NewMessage,
  moment: Moment,
): ConversationHistory {
  return addChild(history, history.current_node, message, moment);
}

/** Replaces a message on a new branch; the old branch stays. @throws ValueError for an unknown id */
export function editMessage(
  history: ConversationHistory,
  id: string,
  change: Pick<NewMessage, 'content'> & Partial<Pick<NewMessage, 'attachments'>>,
  moment: Moment & { readonly rootId: string },
): ConversationHistory {
  const { role, parent_id, ...before } = messageOf(history, id);
  const attachments = change.attachments ?? before.attachments;
  const edited: NewMessage = {
    role,
    content: change.content,
    ...(attachments === undefined ? {} : { attachments }),
    ...(before.tool_call_id === undefined ? {} : { tool_call_id: before.tool_call_id }),
  };
  if (parent_id !== null) return addChild(history, parent_id, edited, moment);
  return addChild(underSystemRoot(history, id, moment.rootId), moment.rootId, edited, moment);
}

/** Switches to the branch of a message, at its latest place: the newest child each time. @throws ValueError for an unknown id */
export function switchBranch(history: ConversationHistory, id: string): ConversationHistory {
  let message = messageOf(history, id);
  for (let child = message.children_ids.at(-1); child !== undefined; child = message.children_ids.at(-1)) {
    message = messageOf(history, child);
  }
  return { ...history, current_node: message.id };
}

/** Returns the message and its alternatives on other branches, oldest first. */
export function branchesAt(history: ConversationHistory, id: string): readonly string[] {
  const { parent_id } = messageOf(history, id);
  return parent_id === null ? [id] : messageOf(history, parent_id).children_ids;
}

function addChild(
  history: ConversationHistory,
  parentId: string | null,
  message: NewMessage,
  { id, now }: Moment,
): ConversationHistory {
  if (history.messages[id] !== undefined) throw new ValueError(`there is already a message ${id}`);
  const parent = parentId === null ? null : messageOf(history, parentId);
  const createdAt = parent !== null && parent.created_at > now ? parent.created_at : now;
  const added: HistoryMessage = {
    id,
    ...message,
    parent_id: parentId,
    children_ids: [],
    created_at: createdAt,
  };
  return soundHistory({
    ...history,
    updated_at: createdAt > history.updated_at ? createdAt : history.updated_at,
    messages: {
      ...history.messages,
      ...(parent === null ? {} : { [parent.id]: { ...parent, children_ids: [...parent.children_ids, id] } }),
      [id]: added,
    },
    root_id: history.root_id ?? id,
    current_node: id,
  });
}

/** Gives a history with two first messages an empty system message as its one root; models do not receive it. */
function underSystemRoot(history: ConversationHistory, id: string, rootId: string): ConversationHistory {
  const first = messageOf(history, id);
  const root: HistoryMessage = {
    id: rootId,
    role: 'system',
    content: '',
    parent_id: null,
    children_ids: [id],
    created_at: first.created_at,
  };
  return {
    ...history,
    messages: { ...history.messages, [rootId]: root, [id]: { ...first, parent_id: rootId } },
    root_id: rootId,
  };
}

function messageOf({ messages }: ConversationHistory, id: string): HistoryMessage {
  const message = messages[id];
  if (message === undefined) throw new ValueError(`there is no message ${id} in the history`);
  return message;
}
