/** Returns the first fault for which the Gemini API refuses a body with 400; null if it accepts the body. */
import { listOf } from './body-parts.ts';
import { fieldOf } from './scripted-server.ts';

export function geminiRefusal(body: unknown): string | null {
  const contents = listOf(fieldOf(body, 'contents'));
  if (contents.length === 0) return 'contents is not specified';
  const system = fieldOf(body, 'systemInstruction');
  if (
    system !== undefined &&
    listOf(fieldOf(system, 'parts')).every((part) => fieldOf(part, 'text') === '')
  ) {
    return 'systemInstruction must have a text';
  }
  const wrong = listOf(fieldOf(body, 'tools'))
    .flatMap((tool) => listOf(fieldOf(tool, 'functionDeclarations')))
    .map((declared) => fieldOf(declared, 'name'))
    .find((name) => typeof name !== 'string' || !/^[a-zA-Z_][\w.:-]{0,63}$/.test(name));
  if (wrong !== undefined) return `tools: ${JSON.stringify(wrong)} is no name of a function`;
  const faults = contents.map((content, index) => contentRefusal(content, contents, index));
  return faults.find((fault) => fault !== null) ?? null;
}

function contentRefusal(content: unknown, contents: readonly unknown[], index: number): string | null {
  const role = fieldOf(content, 'role');
  if (role !== 'user' && role !== 'model') return `contents[${index}]: please use a valid role: user, model`;
  const parts = listOf(fieldOf(content, 'parts'));
  if (parts.length === 0) return `contents[${index}].parts must not be empty`;
  if (parts.some((part) => fieldOf(part, 'text') === ''))
    return `contents[${index}]: a part must have a text`;
  const calls = fieldsOf(content, 'functionCall');
  const answers = fieldsOf(content, 'functionResponse');
  const asked = fieldsOf(contents[index - 1], 'functionCall');
  if (calls.length > 0 && (index === 0 || fieldOf(contents[index - 1], 'role') !== 'user')) {
    return `contents[${index}]: a function call must come after a user turn`;
  }
  if (asked.length !== answers.length) {
    return `contents[${index}]: as many function responses as function calls are needed`;
  }
  const unknown = answers.find((answer) => !asked.some((call) => isFor(answer, call)));
  if (unknown !== undefined) return `contents[${index}]: a function response for no call`;
  return calls.length > 0 && index === contents.length - 1
    ? `contents[${index}]: a function call without a response`
    : null;
}

function fieldsOf(content: unknown, name: string): readonly unknown[] {
  return listOf(fieldOf(content, 'parts')).flatMap((part) => {
    const value = fieldOf(part, name);
    return value === undefined ? [] : [value];
  });
}

function isFor(answer: unknown, call: unknown): boolean {
  return ['id', 'name'].every((field) => fieldOf(answer, field) === fieldOf(call, field));
}
