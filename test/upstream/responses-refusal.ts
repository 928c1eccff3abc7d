/** Returns the first fault for which the Responses API refuses a body with 400; null if it accepts the body. */
import { listOf, toolNameRefusal } from './body-parts.ts';
import { fieldOf } from './scripted-server.ts';

export function responsesRefusal(body: unknown): string | null {
  const items = listOf(fieldOf(body, 'input'));
  if (items.length === 0) return 'input must not be empty';
  const fault = toolNameRefusal(listOf(fieldOf(body, 'tools')).map((tool) => fieldOf(tool, 'name')));
  if (fault !== null) return fault;
  const calls = idsOf(items, 'function_call');
  const outputs = idsOf(items, 'function_call_output');
  const open = calls.find(
    ({ id, index }) => !outputs.some((output) => output.id === id && output.index > index),
  );
  if (open !== undefined) return `no tool output found for function call ${open.id}`;
  const unknown = outputs.find(
    ({ id, index }) => !calls.some((call) => call.id === id && call.index < index),
  );
  if (unknown !== undefined) return `no tool call found for function call output ${unknown.id}`;
  return items.map(itemRefusal).find((refusal) => refusal !== null) ?? null;
}

function idsOf(items: readonly unknown[], type: string) {
  return items.flatMap((item, index) =>
    fieldOf(item, 'type') === type ? [{ id: String(fieldOf(item, 'call_id')), index }] : [],
  );
}

function itemRefusal(item: unknown, index: number): string | null {
  const type = fieldOf(item, 'type') ?? 'message';
  if (type === 'reasoning' && typeof fieldOf(item, 'encrypted_content') !== 'string') {
    return `input[${index}]: item not found; items are not persisted when store is false`;
  }
  if (type !== 'message') return null;
  const role = fieldOf(item, 'role');
  if (role !== 'user' && role !== 'assistant')
    return `input[${index}]: role ${String(role)} belongs into instructions`;
  const content = fieldOf(item, 'content');
  if (content === '' || (Array.isArray(content) && content.length === 0))
    return `input[${index}]: content is empty`;
  const wanted = role === 'user' ? /^input_/ : /^output_text$/;
  const wrong = listOf(content).find((part) => !wanted.test(String(fieldOf(part, 'type'))));
  return wrong === undefined ? null : `input[${index}]: invalid value ${String(fieldOf(wrong, 'type'))}`;
}
