/** Returns the first fault for which the Messages API refuses a body with 400; null if it accepts the body. */
import { fieldOf } from './scripted-server.ts';
import { listOf, toolNameRefusal } from './body-parts.ts';

export function messagesRefusal(body: unknown): string | null {
  const messages = listOf(fieldOf(body, 'messages'));
  if (messages.length === 0) return 'messages: at least one message is required';
  const system = listOf(fieldOf(body, 'system'));
  if (system.some((block) => fieldOf(block, 'text') === ''))
    return 'system: text content blocks must be non-empty';
  return (
    toolNameRefusal(listOf(fieldOf(body, 'tools')).map((tool) => fieldOf(tool, 'name'))) ??
    messages
      .map((message, index) => messageRefusal(message, messages, index))
      .find((fault) => fault !== null) ??
    null
  );
}

function messageRefusal(message: unknown, messages: readonly unknown[], index: number): string | null {
  const role = fieldOf(message, 'role');
  if (role !== 'user' && role !== 'assistant')
    return `messages.${index}: role ${String(role)} is not allowed`;
  if (index === 0 && role !== 'user') return 'messages: first message must use the user role';
  const content = fieldOf(message, 'content');
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  if (blocks.length === 0) return `messages.${index}: content must not be empty`;
  if (blocks.some((block) => fieldOf(block, 'type') === 'text' && fieldOf(block, 'text') === '')) {
    return `messages.${index}: text content blocks must be non-empty`;
  }
  const asked = idsOf(messages[index - 1], 'tool_use', 'id');
  const answered = idsOf(message, 'tool_result', 'tool_use_id');
  const unknown = answered.find((id) => !asked.includes(id));
  if (unknown !== undefined) return `messages.${index}: unexpected tool_use_id ${unknown}`;
  const open = asked.find((id) => !answered.includes(id));
  if (open !== undefined) return `messages.${index}: tool_use ${open} without tool_result`;
  const last = index === messages.length - 1 ? idsOf(message, 'tool_use', 'id') : [];
  return last.length > 0 ? `messages.${index}: tool_use without tool_result` : null;
}

function idsOf(message: unknown, type: string, field: string): readonly string[] {
  return listOf(fieldOf(message, 'content')).flatMap((block) =>
    fieldOf(block, 'type') === type ? [String(fieldOf(block, field))] : [],
  );
}
