/** What a person typed: a command, or something to say (X004-3). */

export type TypedLine =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly rest: string };

/** A slash in front makes a command; two make a text that begins with one. */
export function readSlashLine(typed: string): TypedLine {
  if (typed.startsWith('//')) return { kind: 'text', text: typed.slice(1) };
  if (!typed.startsWith('/')) return { kind: 'text', text: typed };
  const [, name = '', rest = ''] = /^\/(\S*)([^]*)$/.exec(typed) ?? [];
  return { kind: 'command', name, rest: rest.trim() };
}
