/** Reads the two paths of a section of a diff, without `a/`, `b/` and timestamps. */
import { withoutCarriageReturn } from './lines.ts';
import { readQuotedPath } from './path.ts';

/** The two sides as written, prefixes included; null means `/dev/null`. */
export interface NamePair {
  readonly old: string | null;
  readonly new: string | null;
}

/** In characters. Code that checks every space of a line skips longer ones: the time would be quadratic. */
export const longestScannedLine = 8192;

/** Reads `a/x b/x` of a `diff --git` line; returns null if no split makes sense. */
export function parseGitHeaderNames(rest: string): { readonly old: string; readonly new: string } | null {
  const line = withoutCarriageReturn(rest);
  const first = readQuotedPath(line);
  if (first !== null) {
    if (!first.rest.startsWith(' ')) return null;
    const second = first.rest.slice(1);
    return { old: first.path, new: readQuotedPath(second)?.path ?? second };
  }
  const quote = line.indexOf(' "');
  const second = quote === -1 ? null : readQuotedPath(line.slice(quote + 1));
  if (second !== null && second.rest === '') return { old: line.slice(0, quote), new: second.path };
  return splitInTheMiddle(line) ?? splitAtEqualNames(line) ?? splitAtOnlySpace(line);
}

/** Returns the name in a `--- ` or `+++ ` line; null for `/dev/null`. */
export function parseSideName(rest: string): string | null {
  const line = withoutCarriageReturn(rest);
  const quoted = readQuotedPath(line);
  if (quoted !== null) return quoted.path;
  const tab = line.indexOf('\t');
  const name = tab === -1 ? withoutTimestamp(line) : line.slice(0, tab);
  return name === '/dev/null' ? null : name;
}

/** Recognizes the text after the name of an absent file: a time from GNU `diff -N`, words from Subversion. */
export function isAbsent(rest: string): boolean {
  return /\t(?:(?:1970-01-01|1969-12-31) |\((?:nonexistent|revision 0)\))/u.test(rest);
}

/** Removes `a/` and `b/`, or any other first folder in which the two sides differ. */
export function stripPrefixes(names: NamePair): NamePair {
  if (names.old === null || names.new === null) {
    return { old: stripUsualPrefix(names.old), new: stripUsualPrefix(names.new) };
  }
  if (names.old === names.new) return names;
  const stripped = { old: withoutFirstFolder(names.old), new: withoutFirstFolder(names.new) };
  if (stripped.old === stripped.new) return stripped;
  const usual = isUsualPrefix(names.old) && isUsualPrefix(names.new);
  return usual ? stripped : names;
}

/** `i/ w/ c/ o/ 1/ 2/` are the prefixes of `diff.mnemonicPrefix`. */
const usualPrefix = /^[abciow12]\//u;
const trailingTimestamp = /\s+\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [+-]\d{4})?$/u;

function withoutTimestamp(name: string): string {
  return name.length > longestScannedLine ? name : name.replace(trailingTimestamp, '');
}

function isUsualPrefix(name: string): boolean {
  return usualPrefix.test(name);
}

function stripUsualPrefix(name: string | null): string | null {
  return name === null ? null : name.replace(usualPrefix, '');
}

function withoutFirstFolder(name: string): string {
  const slash = name.indexOf('/');
  return slash === -1 ? name : name.slice(slash + 1);
}

/** Splits in the middle: both sides name one path and the prefixes are equally long. */
function splitInTheMiddle(line: string): { old: string; new: string } | null {
  const middle = (line.length - 1) / 2;
  return splitAt(line, middle, sameName);
}

function splitAtEqualNames(line: string): { old: string; new: string } | null {
  if (line.length > longestScannedLine) return null;
  for (let space = line.indexOf(' '); space !== -1; space = line.indexOf(' ', space + 1)) {
    const split = splitAt(line, space, sameName);
    if (split !== null) return split;
  }
  return null;
}

function splitAtOnlySpace(line: string): { old: string; new: string } | null {
  const space = line.indexOf(' ');
  return space === line.lastIndexOf(' ') ? splitAt(line, space, () => true) : null;
}

function splitAt(
  line: string,
  space: number,
  accepts: (old: string, created: string) => boolean,
): { old: string; new: string } | null {
  if (line[space] !== ' ') return null;
  const [old, created] = [line.slice(0, space), line.slice(space + 1)];
  return old !== '' && created !== '' && accepts(old, created) ? { old, new: created } : null;
}

function sameName(old: string, created: string): boolean {
  if (old === created) return true;
  return (
    old.includes('/') && created.includes('/') && withoutFirstFolder(old) === withoutFirstFolder(created)
  );
}
