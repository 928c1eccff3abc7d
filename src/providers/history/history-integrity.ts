/** Checks the rules of a history (X003-1), when it is read and after every change. */
import { ValueError } from '../../errors/provider-error.ts';
import { historySchema, type ConversationHistory, type HistoryMessage } from './history.ts';

export interface HistoryFault {
  /** A JSON pointer. */
  readonly place: string;
  readonly message: string;
}

/** Returns every broken rule; none for a sound history. */
export function checkHistory(history: ConversationHistory): readonly HistoryFault[] {
  const messages = Object.entries(history.messages);
  return [
    ...rootFaults(history),
    ...messages.flatMap(([key, message]) => messageFaults(history, key, message)),
    ...orphans(history),
  ];
}

/** Parses a value as a sound history. @throws ValueError with the first faulty places */
export function parseHistory(value: unknown): ConversationHistory {
  const parsed = historySchema.safeParse(value);
  if (!parsed.success) {
    throw corrupt(
      parsed.error.issues.map(({ path, message }) => ({ place: pointer(path), message })),
      value,
    );
  }
  return soundHistory(parsed.data);
}

/** Returns the same history. @throws ValueError like `parseHistory` */
export function soundHistory(history: ConversationHistory): ConversationHistory {
  const faults = checkHistory(history);
  if (faults.length > 0) throw corrupt(faults, history);
  return history;
}

/** Returns a JSON pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function corrupt(faults: readonly HistoryFault[], value: unknown): ValueError {
  const shown = faults.slice(0, 3).map(({ place, message }) => `${place || '/'}: ${message}`);
  const more = faults.length > shown.length ? `; and ${faults.length - shown.length} more` : '';
  const id =
    value !== null && typeof value === 'object' && 'conversation_id' in value ? value.conversation_id : null;
  return new ValueError(`the history is corrupt: ${shown.join('; ')}${more}`, {
    hint: 'Use the last good copy of the conversation, or start a new one.',
    details: { conversation_id: typeof id === 'string' ? id : null, faults },
  });
}

function rootFaults({ messages, root_id, current_node }: ConversationHistory): readonly HistoryFault[] {
  const isEmpty = Object.keys(messages).length === 0;
  if (isEmpty) {
    return [
      ...(root_id === null ? [] : [{ place: '/root_id', message: 'must be null if there are no messages' }]),
      ...(current_node === null
        ? []
        : [{ place: '/current_node', message: 'must be null if there are no messages' }]),
    ];
  }
  const root = root_id === null ? undefined : messages[root_id];
  return [
    ...(root === undefined ? [{ place: '/root_id', message: `there is no message ${String(root_id)}` }] : []),
    ...(root !== undefined && root.parent_id !== null
      ? [{ place: pointer(['messages', root.id, 'parent_id']), message: 'the root has no parent' }]
      : []),
    ...(current_node === null || messages[current_node] === undefined
      ? [{ place: '/current_node', message: `there is no message ${String(current_node)}` }]
      : []),
  ];
}

function messageFaults(
  history: ConversationHistory,
  key: string,
  message: HistoryMessage,
): readonly HistoryFault[] {
  const at = (...path: readonly PropertyKey[]): string => pointer(['messages', key, ...path]);
  const faults: HistoryFault[] = [];
  if (message.id !== key) faults.push({ place: at('id'), message: `is ${message.id} under the key ${key}` });
  if (message.parent_id === null && key !== history.root_id) {
    faults.push({ place: at('parent_id'), message: 'only the root has no parent' });
  }
  const parent = message.parent_id === null ? null : history.messages[message.parent_id];
  if (parent === undefined) {
    faults.push({ place: at('parent_id'), message: `there is no message ${message.parent_id}` });
  }
  if (parent !== null && parent !== undefined) {
    if (!parent.children_ids.includes(key)) {
      faults.push({ place: at('parent_id'), message: `${parent.id} does not name it as a child` });
    }
    if (parent.created_at > message.created_at) {
      faults.push({ place: at('created_at'), message: `is before that of its parent ${parent.id}` });
    }
  }
  for (const [index, child] of message.children_ids.entries()) {
    const place = at('children_ids', index);
    if (message.children_ids.indexOf(child) !== index)
      faults.push({ place, message: `names ${child} twice` });
    else if (history.messages[child] === undefined)
      faults.push({ place, message: `there is no message ${child}` });
    else if (history.messages[child].parent_id !== key) {
      faults.push({ place, message: `${child} has another parent` });
    }
  }
  return [...faults, ...roleFaults(history, message, at)];
}

function roleFaults(
  history: ConversationHistory,
  message: HistoryMessage,
  at: (...path: readonly PropertyKey[]) => string,
): readonly HistoryFault[] {
  const { role, tool_calls, tool_call_id } = message;
  const faults: HistoryFault[] = [];
  if (tool_calls !== undefined && role !== 'assistant') {
    faults.push({ place: at('tool_calls'), message: `a message of the role ${role} calls no tools` });
  }
  for (const [index, { tool_call_id: id }] of (tool_calls ?? []).entries()) {
    const first = tool_calls?.findIndex((call) => call.tool_call_id === id);
    if (first !== index) {
      faults.push({ place: at('tool_calls', index, 'tool_call_id'), message: `two calls have the id ${id}` });
    }
  }
  if (role !== 'tool') {
    if (tool_call_id !== undefined) {
      faults.push({ place: at('tool_call_id'), message: `a message of the role ${role} answers no call` });
    }
    return faults;
  }
  if (tool_call_id === undefined) {
    faults.push({ place: at('tool_call_id'), message: 'a tool message must name its call' });
  } else if (!answersACall(history, message, tool_call_id)) {
    faults.push({ place: at('tool_call_id'), message: `there is no open call ${tool_call_id} before it` });
  }
  return faults;
}

/** Checks an answer: only answers to other calls of the same message may be between a call and its answer. */
function answersACall(history: ConversationHistory, message: HistoryMessage, callId: string): boolean {
  const seen = new Set<string>();
  for (let id = message.parent_id; id !== null && !seen.has(id);) {
    seen.add(id);
    const before = history.messages[id];
    if (before === undefined) return false;
    if (before.role !== 'tool') {
      return before.tool_calls?.some(({ tool_call_id }) => tool_call_id === callId) === true;
    }
    if (before.tool_call_id === callId) return false;
    id = before.parent_id;
  }
  return false;
}

/** Finds messages that are unreachable from the root: lost parts and cycles. */
function orphans({ messages, root_id }: ConversationHistory): readonly HistoryFault[] {
  const reached = new Set<string>();
  const waiting = root_id === null ? [] : [root_id];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    waiting.push(...(messages[id]?.children_ids ?? []));
  }
  return Object.keys(messages)
    .filter((id) => !reached.has(id))
    .map((id) => ({ place: pointer(['messages', id]), message: 'it is not reachable from the root' }));
}
