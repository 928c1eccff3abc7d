/** The lines between `diff --git` and the first hunk. */
import type { LineReader } from './lines.ts';
import { withoutCarriageReturn } from './lines.ts';
import { parseGitHeaderNames, parseSideName, stripPrefixes, type NamePair } from './names.ts';
import { readQuotedPath } from './path.ts';
import type { DiffFile, FileChange } from './types.ts';

export type FileHeader = Omit<DiffFile, 'hunks'>;

interface Facts {
  header: NamePair | null;
  sides: NamePair | null;
  change: 'added' | 'deleted' | 'renamed' | 'copied' | null;
  from: string | null;
  to: string | null;
  oldMode: string | null;
  newMode: string | null;
  oldBlob: string | null;
  newBlob: string | null;
  binary: boolean;
  binaryData: boolean;
}

export interface GitHeader {
  /** The header; null if no path can be determined. */
  readonly file: FileHeader | null;
  /** `---` and `+++` were present, so hunks must follow. */
  readonly expectsHunks: boolean;
}

/** Reads from `diff --git` up to the hunks, binary data included. */
export function readGitHeader(reader: LineReader, rest: string): GitHeader {
  const facts: Facts = {
    header: parseGitHeaderNames(rest),
    sides: null,
    change: null,
    from: null,
    to: null,
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    binary: false,
    binaryData: false,
  };
  while (readExtendedLine(reader, facts)) reader.take();
  // A binary file ends with its notice: two sides after it belong to another file.
  if (!facts.binary) readSides(reader, facts);
  return { file: headerOf(facts), expectsHunks: facts.sides !== null };
}

/** Reads `--- ` and `+++ ` if both come next; otherwise returns null. */
export function takeSideLines(reader: LineReader): { readonly old: string; readonly new: string } | null {
  const old = reader.peek();
  if (old?.startsWith('--- ') !== true) return null;
  reader.take();
  const created = reader.peek();
  if (created?.startsWith('+++ ') !== true) return null;
  reader.take();
  return { old: old.slice(4), new: created.slice(4) };
}

const rules: readonly (readonly [RegExp, (facts: Facts, values: readonly string[]) => void])[] = [
  [/^old mode (\d+)$/u, (facts, [mode = '']) => void (facts.oldMode = mode)],
  [/^new mode (\d+)$/u, (facts, [mode = '']) => void (facts.newMode = mode)],
  [
    /^new file mode (\d+)$/u,
    (facts, [mode = '']) => {
      facts.change = 'added';
      facts.newMode = mode;
    },
  ],
  [
    /^deleted file mode (\d+)$/u,
    (facts, [mode = '']) => {
      facts.change = 'deleted';
      facts.oldMode = mode;
    },
  ],
  [
    /^(rename|copy) (?:from|old) (.+)$/su,
    (facts, [verb, path = '']) => {
      facts.change = verb === 'rename' ? 'renamed' : 'copied';
      facts.from = unquote(path);
    },
  ],
  [/^(?:rename|copy) (?:to|new) (.+)$/su, (facts, [path = '']) => void (facts.to = unquote(path))],
  [/^(?:dis)?similarity index \d+%$/u, () => {}],
  [
    /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: (\d+))?$/u,
    (facts, [old = '', created = '', mode]) => {
      facts.oldBlob = old;
      facts.newBlob = created;
      facts.oldMode ??= mode ?? null;
      facts.newMode ??= mode ?? null;
    },
  ],
  [
    /^GIT binary patch$/u,
    (facts) => {
      facts.binary = true;
      facts.binaryData = true;
    },
  ],
  // The data of a binary patch: a heading, then lines of a length letter and base 85; each block ends with an empty
  // line.
  [/^(?:literal|delta) \d+$/u, () => {}],
];
const binaryLine = /^[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+$/u;

function readExtendedLine(reader: LineReader, facts: Facts): boolean {
  const raw = reader.peek();
  if (raw === null) return false;
  const line = withoutCarriageReturn(raw);
  for (const [pattern, apply] of rules) {
    const match = pattern.exec(line);
    if (match !== null) {
      apply(facts, match.slice(1));
      return true;
    }
  }
  return facts.binary ? readsAsBinaryData(facts, line) : readBinaryNotice(facts, line);
}

function readBinaryNotice(facts: Facts, line: string): boolean {
  facts.binary = /^Binary files .* differ$/su.test(line);
  return facts.binary;
}

/** Recognizes groups of five after the length letter; an empty line ends a block. */
function readsAsBinaryData(facts: Facts, line: string): boolean {
  if (!facts.binaryData) return false;
  return line === '' || (line.length % 5 === 1 && binaryLine.test(line));
}

function readSides(reader: LineReader, facts: Facts): void {
  const sides = takeSideLines(reader);
  if (sides === null) return;
  facts.sides = { old: parseSideName(sides.old), new: parseSideName(sides.new) };
  if (facts.sides.old === null) facts.change = 'added';
  if (facts.sides.new === null) facts.change = 'deleted';
}

function headerOf(facts: Facts): FileHeader | null {
  const names = namesOf(facts);
  const change = changeOf(facts, names);
  const path = change === 'deleted' ? (names.old ?? names.new) : (names.new ?? names.old);
  if (path === null || path === '') return null;
  return {
    path,
    oldPath: change === 'added' ? null : (names.old ?? path),
    change,
    binary: facts.binary,
    oldBlob: facts.oldBlob,
    newBlob: facts.newBlob,
    oldMode: change === 'added' ? null : facts.oldMode,
    newMode: change === 'deleted' ? null : facts.newMode,
  };
}

function namesOf(facts: Facts): NamePair {
  if (facts.from !== null && facts.to !== null) return { old: facts.from, new: facts.to };
  const written = facts.sides;
  // If one side is missing, only the `diff --git` line shows whether there are prefixes.
  if (facts.header !== null && (written === null || written.old === null || written.new === null)) {
    return stripPrefixes(facts.header);
  }
  return written === null ? { old: null, new: null } : stripPrefixes(written);
}

function changeOf(facts: Facts, names: NamePair): FileChange {
  if (facts.change !== null) return facts.change;
  if (names.old !== names.new) return 'renamed';
  return 'modified';
}

function unquote(path: string): string {
  return readQuotedPath(path)?.path ?? path;
}
