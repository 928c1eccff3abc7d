/** Specification 003's standard history: a tree of messages, whose thread to `current_node` is the conversation. */
import { z } from 'zod';
import type { HistoryNames } from './messages-history.ts';

export const messageRoles = ['user', 'assistant', 'tool', 'system'] as const;

const time = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'must be UTC with milliseconds: 2025-01-01T00:00:00.000Z',
  );

export const attachmentSchema = z.looseObject({
  type: z.enum(['image', 'video', 'audio', 'file']),
  mime_type: z.string(),
  /** A path or an address. */
  url: z.string(),
  name: z.string(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

const historyToolCallSchema = z.looseObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.json()),
});

export const historyMessageSchema = z.looseObject({
  /** Has the form `msg_…`. */
  id: z.string().min(1),
  role: z.enum(messageRoles),
  content: z.string(),
  /** Id of the parent; null at the root. */
  parent_id: z.string().nullable(),
  children_ids: z.array(z.string()),
  created_at: time,
  attachments: z.array(attachmentSchema).optional(),
  /** Only on assistant messages. */
  tool_calls: z.array(historyToolCallSchema).optional(),
  /** On a tool message: the call that it answers. */
  tool_call_id: z.string().optional(),
  /** Our extension, on a tool message: the call failed. */
  is_error: z.boolean().optional(),
  /**
   * Our extension, on an assistant message: values that only this model understands, such as signed thinking; it gets them
   * back unchanged.
   */
  opaque: z.object({ model: z.string(), values: z.array(z.json()) }).optional(),
  status: z.literal('aborted').optional(),
});
export type HistoryMessage = z.infer<typeof historyMessageSchema>;

/** A history. An empty one has no messages, and null for both ids (X003-2). Unknown keys are kept. */
export const historySchema = z.looseObject({
  conversation_id: z.string(),
  title: z.string(),
  created_at: time,
  updated_at: time,
  model: z.string(),
  platform: z.string(),
  messages: z.record(z.string(), historyMessageSchema),
  root_id: z.string().nullable(),
  current_node: z.string().nullable(),
});
export type ConversationHistory = z.infer<typeof historySchema>;

export interface NewConversation extends HistoryNames {
  readonly title: string;
  /** UTC with milliseconds. */
  readonly now: string;
}

export function emptyHistory(conversation: NewConversation): ConversationHistory {
  const { conversationId, title, model, platform, now } = conversation;
  return {
    conversation_id: conversationId,
    title,
    created_at: now,
    updated_at: now,
    model,
    platform,
    messages: {},
    root_id: null,
    current_node: null,
  };
}

/** Returns the messages from the root to the current one (R003-24). The history must obey the rules of `checkHistory`. */
export function getConversationThread(history: ConversationHistory): readonly HistoryMessage[] {
  const thread: HistoryMessage[] = [];
  for (let id = history.current_node; id !== null;) {
    const message = history.messages[id];
    if (message === undefined) break;
    thread.unshift(message);
    id = message.parent_id;
  }
  return thread;
}

/** Returns `msg_` and twelve characters of base 36. `random` returns numbers from 0 to below 1. */
export function newMessageId(random: () => number): string {
  return `msg_${Array.from({ length: 12 }, () => Math.floor(random() * 36).toString(36)).join('')}`;
}
