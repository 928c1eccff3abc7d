/** Converts a model's messages to a history of specification 003, for clients that accept only that. */
import { emptyHistory, type ConversationHistory } from './history.ts';
import { appendMessage, type NewMessage } from './history-edit.ts';
import type { HeardPart, ModelMessage, SaidPart } from '../contract/model.ts';

export interface HistoryNames {
  readonly model: string;
  readonly platform: string;
  readonly conversationId: string;
}

/** Converts the messages. Ids and times are only counters: the same messages always give the same history. */
export function toHistory(messages: readonly ModelMessage[], names: HistoryNames): ConversationHistory {
  const told = messages.flatMap((message) => toHistoryMessages(message, names.model));
  return told.reduce<ConversationHistory>(
    (history, message, index) => appendMessage(history, message, momentOf(index)),
    emptyHistory({ ...names, title: '', now: timeOf(0) }),
  );
}

/** Converts one message of a model for a history. */
export function toHistoryMessages(message: ModelMessage, model: string): readonly NewMessage[] {
  return message.role === 'user' ? message.parts.map(heardMessage) : [saidMessage(message.parts, model)];
}

function momentOf(index: number) {
  return { id: `msg_${index.toString(36).padStart(12, '0')}`, now: timeOf(index) };
}

function timeOf(index: number): string {
  return new Date(index).toISOString();
}

function heardMessage(part: HeardPart): NewMessage {
  switch (part.type) {
    case 'text':
      return { role: 'user', content: part.text };
    case 'media': {
      const { kind, mime_type, data, name } = part;
      const url = `data:${mime_type};base64,${data}`;
      return { role: 'user', content: '', attachments: [{ type: kind, mime_type, url, name }] };
    }
    case 'tool_result':
      return {
        role: 'tool',
        content: part.content,
        tool_call_id: part.id,
        ...(part.is_error ? { is_error: true } : {}),
      };
  }
}

function saidMessage(parts: readonly SaidPart[], model: string): NewMessage {
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [{ tool_call_id: part.id, function_name: part.name, arguments: argumentsOf(part.args) }]
      : [],
  );
  const values = parts.flatMap((part) => (part.type === 'opaque' ? [part.value] : []));
  return {
    role: 'assistant',
    content: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(values.length === 0 ? {} : { opaque: { model, values } }),
  };
}

type CallArguments = NonNullable<NewMessage['tool_calls']>[number]['arguments'];

/** Returns a call's arguments as an object; any other value is stored under a name. */
export function argumentsOf(args: Extract<SaidPart, { type: 'tool_call' }>['args']): CallArguments {
  return args !== null && typeof args === 'object' && !Array.isArray(args) ? args : { arguments: args };
}
