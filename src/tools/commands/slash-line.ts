/** A line typed by a person: a command, or a message (X004-3). */

export type TypedLine =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly rest: string };

/** A leading slash makes a command; two slashes make a message that begins with one. */
export function readSlashLine(typed: string): TypedLine {
  if (typed.startsWith('//')) return { kind: 'text', text: typed.slice(1) };
  if (!typed.startsWith('/')) return { kind: 'text', text: typed };
  const [, name = '', rest = ''] = /^\/(\S*)([^]*)$/.exec(typed) ?? [];
  return { kind: 'command', name, rest: rest.trim() };
}
