/** Reads a command in a comment on a pull request. Its text is foreign: only the first line counts, and only exactly. */

export type PullCommand =
  | { readonly kind: 'review' }
  | { readonly kind: 'dismiss'; readonly number: number; readonly reason: string }
  | { readonly kind: 'fix'; readonly number: number }
  /** Begins with `/collab`, and is none of the others. */
  | { readonly kind: 'unknown' };

/** Returns null for a comment that is not for us. */
export function parsePullCommand(body: string): PullCommand | null {
  const line = (body.split(/\r\n|\r|\n/, 1)[0] ?? '').trimEnd();
  if (!/^\/collab(?![^\s])/.test(line)) return null;
  if (line === '/collab review') return { kind: 'review' };
  const [, number, reason] = /^\/collab dismiss F?([1-9]\d{0,8}) (\S.*)$/.exec(line) ?? [];
  if (number !== undefined && reason !== undefined)
    return { kind: 'dismiss', number: Number(number), reason };
  const [, toFix] = /^\/collab fix F?([1-9]\d{0,8})$/.exec(line) ?? [];
  return toFix === undefined ? { kind: 'unknown' } : { kind: 'fix', number: Number(toFix) };
}
