import { isRecord } from '../../../src/client/read-json.ts';
import type { ConversationMessage } from '../../../src/client/run-types.ts';

/** A message of a conversation as the page shows it. */
export interface ShownMessage {
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly text: string;
  readonly tools: readonly { readonly name: string; readonly args: string }[];
  readonly isAborted: boolean;
}

/** Reads specification 003's shape; unknown parts are shown unchanged, never left out. */
export function readMessage(message: ConversationMessage): ShownMessage {
  const { role, content, tool_calls: calls, status } = message;
  return {
    role: roles.find((known) => known === role) ?? 'system',
    text: textOf(content),
    tools: (Array.isArray(calls) ? calls : []).flatMap(toolOf),
    isAborted: status === 'aborted',
  };
}

const roles = ['user', 'assistant', 'tool', 'system'] as const;

function toolOf(call: unknown): ShownMessage['tools'] {
  if (!isRecord(call) || typeof call['function_name'] !== 'string') return [];
  return [{ name: call['function_name'], args: JSON.stringify(call['arguments'] ?? {}) }];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  if (isRecord(content) && typeof content['text'] === 'string') return content['text'];
  return JSON.stringify(content);
}
