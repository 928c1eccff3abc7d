import { fieldOf } from './scripted-server.ts';

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The last one of a list of the body, as JSON. */
export function lastIn(body: unknown, field: string): string {
  return JSON.stringify(listOf(fieldOf(body, field)).at(-1)) ?? '';
}

/** No vendor accepts a name with a dot, or one of more than 64 characters. */
export function toolNameRefusal(names: readonly unknown[]): string | null {
  const wrong = names.find((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  return wrong === undefined ? null : `tools: ${JSON.stringify(wrong)} is no name of a tool`;
}
