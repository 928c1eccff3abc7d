/** Returns the first fault for which Chat Completions refuses a body with 400; null if it accepts the body. */
import { listOf, toolNameRefusal } from './body-parts.ts';
import { fieldOf } from './scripted-server.ts';

export function chatRefusal(body: unknown): string | null {
  const messages = listOf(fieldOf(body, 'messages'));
  if (messages.length === 0) return 'messages: too short, expected at least 1';
  const names = listOf(fieldOf(body, 'tools')).map((tool) => fieldOf(fieldOf(tool, 'function'), 'name'));
  const fault = toolNameRefusal(names);
  if (fault !== null) return fault;
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = fieldOf(message, 'role');
    if (role === 'tool') {
      const id = String(fieldOf(message, 'tool_call_id'));
      if (!open.includes(id))
        return `messages[${index}]: role 'tool' must be a response to a preceding tool_call`;
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0)
      return `messages[${index}]: these tool_call_ids have no response: ${open.join(', ')}`;
    const calls = listOf(fieldOf(message, 'tool_calls'));
    const refusal = contentRefusal(role, fieldOf(message, 'content'), calls.length > 0);
    if (refusal !== null) return `messages[${index}]: ${refusal}`;
    if (role === 'system' && index > 0) return `messages[${index}]: system after the beginning`;
    open = calls.map((call) => String(fieldOf(call, 'id')));
  }
  return open.length > 0 ? `these tool_call_ids have no response: ${open.join(', ')}` : null;
}

function contentRefusal(role: unknown, content: unknown, hasCalls: boolean): string | null {
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return `role ${String(role)} is not supported`;
  if (content === null || content === undefined) return hasCalls ? null : 'content must not be null';
  const parts = listOf(content);
  if (Array.isArray(content) && parts.length === 0) return 'content must not be empty';
  return parts.some((part) => fieldOf(part, 'type') === 'text' && fieldOf(part, 'text') === '')
    ? 'text must not be empty'
    : null;
}
