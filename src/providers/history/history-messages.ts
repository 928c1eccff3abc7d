/** Converts a history's thread to a model's messages: sides alternate, and the message after a call answers it. */
import { abortedCall, openingMessage } from '../../prompts/conversation/loop-notices.ts';
import type { HeardPart, ModelMessage, SaidPart, ToolResultPart } from '../contract/model.ts';
import type { Attachment, HistoryMessage } from './history.ts';

export interface ThreadOptions {
  /** The model that gets its own private values back. Default: none. */
  readonly model?: string;
  /** Returns an attachment as the model reads it, or null to leave it out. */
  readonly attachment?: (attachment: Attachment) => HeardPart | null;
}

/**
 * Converts the thread and fixes what no model accepts (X003-2): an unanswered call gets an answer that says so, empty messages
 * are dropped, messages of one side are merged, and a thread that starts with an assistant gets a first message of the user.
 * System messages are left out: `systemTextIn` returns them.
 */
export function toModelMessages(
  thread: readonly HistoryMessage[],
  options: ThreadOptions = {},
): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const message of thread) {
    switch (message.role) {
      case 'system':
        break;
      case 'user':
        hear(messages, heardParts(message, options));
        break;
      case 'assistant':
        answerOpenCalls(messages);
        say(messages, saidParts(message, options));
        break;
      case 'tool':
        hear(messages, [resultPart(message)]);
        break;
    }
  }
  answerOpenCalls(messages);
  return messages.map((message, index) => inCallOrder(message, messages[index - 1]));
}

/** Adds the user's last input to a thread from `toModelMessages`. */
export function withInput(
  messages: readonly ModelMessage[],
  parts: readonly HeardPart[],
): readonly ModelMessage[] {
  const all = [...messages];
  hear(all, parts);
  return all;
}

export function systemTextIn(thread: readonly HistoryMessage[]): string {
  return thread
    .filter(({ role, content }) => role === 'system' && content !== '')
    .map(({ content }) => content)
    .join('\n\n');
}

function heardParts(
  { content, attachments = [] }: HistoryMessage,
  options: ThreadOptions,
): readonly HeardPart[] {
  const shown = attachments.flatMap((attachment) => options.attachment?.(attachment) ?? []);
  return [...shown, ...textParts(content)];
}

function saidParts(message: HistoryMessage, { model }: ThreadOptions): readonly SaidPart[] {
  const { content, tool_calls = [], opaque, status } = message;
  const own = opaque !== undefined && opaque.model === model && status !== 'aborted' ? opaque.values : [];
  return [
    ...own.map((value): SaidPart => ({ type: 'opaque', value })),
    ...textParts(content),
    ...tool_calls.map(({ tool_call_id, function_name, arguments: args }): SaidPart => ({
      type: 'tool_call',
      id: tool_call_id,
      name: function_name,
      args,
    })),
  ];
}

function textParts(text: string): readonly { readonly type: 'text'; readonly text: string }[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function resultPart({ tool_call_id = '', content, is_error = false }: HistoryMessage): ToolResultPart {
  return { type: 'tool_result', id: tool_call_id, content, is_error };
}

/** Adds parts: answers to calls are first, all others after them. */
function hear(messages: ModelMessage[], parts: readonly HeardPart[]): void {
  if (parts.length === 0) return;
  if (parts.some(({ type }) => type !== 'tool_result')) answerOpenCalls(messages);
  add(messages, parts);
}

function add(messages: ModelMessage[], parts: readonly HeardPart[]): void {
  const last = messages.at(-1);
  if (last?.role === 'user')
    messages[messages.length - 1] = { role: 'user', parts: [...last.parts, ...parts] };
  else messages.push({ role: 'user', parts: [...parts] });
}

function say(messages: ModelMessage[], parts: readonly SaidPart[]): void {
  if (!parts.some(({ type }) => type !== 'opaque')) return;
  const last = messages.at(-1);
  if (last?.role === 'assistant') {
    messages[messages.length - 1] = { role: 'assistant', parts: [...last.parts, ...parts] };
    return;
  }
  if (last === undefined) add(messages, [{ type: 'text', text: openingMessage }]);
  messages.push({ role: 'assistant', parts: [...parts] });
}

function answerOpenCalls(messages: ModelMessage[]): void {
  const open = openCalls(messages);
  if (open.length === 0) return;
  add(
    messages,
    open.map((id): ToolResultPart => ({ type: 'tool_result', id, content: abortedCall, is_error: true })),
  );
}

function inCallOrder(message: ModelMessage, before: ModelMessage | undefined): ModelMessage {
  if (message.role !== 'user' || before?.role !== 'assistant') return message;
  const calls = before.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  const placeOf = (part: HeardPart): number =>
    part.type === 'tool_result' ? calls.indexOf(part.id) : calls.length;
  return { role: 'user', parts: message.parts.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

function openCalls(messages: readonly ModelMessage[]): readonly string[] {
  const asked = messages.findLast(({ role }) => role === 'assistant');
  if (asked?.role !== 'assistant') return [];
  const after = messages.at(-1);
  const answered = after?.role === 'user' ? after.parts : [];
  return asked.parts
    .flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))
    .filter((id) => !answered.some((part) => part.type === 'tool_result' && part.id === id));
}
