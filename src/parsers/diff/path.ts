/** Reads and writes paths as git and GNU diff do: quoted like a C string if they contain unusual characters. */
const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  '"': '"',
  '\\': '\\',
};
const namesOfEscapes = new Map(Object.entries(escapes).map(([name, character]) => [character, name]));

export interface QuotedPath {
  readonly path: string;
  /** The text after the closing quote. */
  readonly rest: string;
}

/**
 * Reads a C string at the start of `text`; returns null if there is none or it is not closed. Octal escapes are bytes
 * of UTF-8.
 */
export function readQuotedPath(text: string): QuotedPath | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"/su.exec(text);
  if (quoted === null) return null;
  return { path: unescapePath(quoted[1] ?? ''), rest: text.slice(quoted[0].length) };
}

/** Quotes a path if git would with `core.quotePath=false`: control characters, `"` and `\`. */
export function quotePath(path: string): string {
  // oxlint-disable-next-line no-control-regex
  if (!/["\\\u0000-\u001f\u007f]/u.test(path)) return path;
  // oxlint-disable-next-line no-control-regex
  return `"${path.replaceAll(/["\\\u0000-\u001f\u007f]/gu, escapeCharacter)}"`;
}

function unescapePath(body: string): string {
  const parts = body.match(/(?:\\[0-7]{1,3})+|\\.|[^\\]+/gsu) ?? [];
  return parts.map(unescapePart).join('');
}

function unescapePart(part: string): string {
  if (!part.startsWith('\\')) return part;
  if (/^\\[0-7]/u.test(part)) {
    const bytes = part.slice(1).split('\\');
    return Buffer.from(bytes.map((octal) => Number.parseInt(octal, 8) & 0xff)).toString('utf8');
  }
  const name = part.slice(1);
  return escapes[name] ?? name;
}

function escapeCharacter(character: string): string {
  const name = namesOfEscapes.get(character);
  return name === undefined ? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}` : `\\${name}`;
}
