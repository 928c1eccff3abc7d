import { readGitHeader, takeSideLines, type FileHeader } from './unified-diff-header.ts';
import { readHunks, startsHunk } from './unified-diff-hunk.ts';
import { createLineReader, withoutCarriageReturn, type LineReader } from './unified-diff-lines.ts';
import {
  isEpoch,
  longestScannedLine,
  parseSideName,
  stripPrefixes,
  type NamePair,
} from './unified-diff-names.ts';
import { readQuotedPath } from './unified-diff-path.ts';
import type { DiffFault, DiffFile, Hunk, ParsedDiff } from './unified-diff-types.ts';

/**
 * Reads what `git diff`, `git show`, `git format-patch` and `diff -u` write. Total: any text gives a value; garbage gives
 * no files, and what contradicts itself gives `faults`. Takes time in proportion to the text.
 */
export function parseUnifiedDiff(text: string): ParsedDiff {
  const reader = createLineReader(text);
  const files: DiffFile[] = [];
  const preamble: string[] = [];
  const faults: DiffFault[] = [];
  for (let line = reader.peek(); line !== null; line = reader.peek()) {
    const file = readSection(reader, line, { preamble, faults });
    if (file !== null) files.push(file);
  }
  return { files, preamble, faults };
}

interface Sink {
  readonly preamble: string[];
  readonly faults: DiffFault[];
}

/** Takes at least one line. */
function readSection(reader: LineReader, line: string, sink: Sink): DiffFile | null {
  if (line.startsWith('diff --git ')) return readGitSection(reader, line, sink);
  const combined = /^diff --(?:cc|combined) (.+)$/su.exec(line);
  if (combined !== null) return readCombined(reader, withoutCarriageReturn(combined[1] ?? ''));
  if (line.startsWith('--- ')) return readPlainSection(reader, line, sink);
  if (startsHunk(line)) sink.faults.push({ line: reader.lineNumber(), message: 'a hunk belongs to no file' });
  reader.take();
  const file =
    line.length > longestScannedLine ? null : (readBinaryNotice(line) ?? readSubmoduleNotice(line));
  if (file === null) sink.preamble.push(line);
  return file;
}

function readGitSection(reader: LineReader, line: string, { preamble, faults }: Sink): DiffFile | null {
  const lineNumber = reader.lineNumber();
  reader.take();
  const { file, expectsHunks } = readGitHeader(reader, line.slice('diff --git '.length));
  const hunks = readHunks(reader, faults);
  if (expectsHunks && hunks.length === 0) faults.push({ line: lineNumber, message: 'a file has no hunk' });
  if (file !== null) return withHunks(file, hunks);
  preamble.push(line);
  if (hunks.length > 0) faults.push({ line: lineNumber, message: 'the paths of a file cannot be read' });
  return null;
}

/** Two sides without a `diff --git` line count only with a hunk behind them: prose may hold `--- ` too. */
function readPlainSection(reader: LineReader, line: string, { preamble, faults }: Sink): DiffFile | null {
  const sides = takeSideLines(reader);
  if (sides === null || !startsHunk(reader.peek())) {
    preamble.push(line);
    if (sides !== null) preamble.push(`+++ ${sides.new}`);
    return null;
  }
  const hunks = readHunks(reader, faults);
  const absent = {
    old: isEpoch(sides.old) && hunks.every(({ oldLines }) => oldLines === 0),
    new: isEpoch(sides.new) && hunks.every(({ newLines }) => newLines === 0),
  };
  const header = plainHeader({ old: parseSideName(sides.old), new: parseSideName(sides.new) }, absent);
  if (header !== null) return withHunks(header, hunks);
  preamble.push(line, `+++ ${sides.new}`);
  return null;
}

function plainHeader(
  written: NamePair,
  absent: { readonly old: boolean; readonly new: boolean },
): FileHeader | null {
  const names = stripPrefixes(written);
  const path = names.new ?? names.old;
  if (path === null || path === '') return null;
  if (names.old === null || absent.old) return { ...bareHeader(path), oldPath: null, change: 'added' };
  if (names.new === null || absent.new) return { ...bareHeader(names.old), change: 'deleted' };
  return { ...bareHeader(path), oldPath: names.old, change: names.old === path ? 'modified' : 'renamed' };
}

/** A merge's diff compares with two old sides. Its lines are passed over; the file is known by name. */
function readCombined(reader: LineReader, path: string): DiffFile {
  reader.take();
  const partOfIt =
    /^(?:@@@|[ +\-\\]|index |mode |new file mode |deleted file mode |Binary files |similarity |rename |copy )/u;
  for (let line = reader.peek(); line !== null && partOfIt.test(line); line = reader.peek()) reader.take();
  return { ...bareHeader(readQuotedPath(path)?.path ?? path), change: 'combined', hunks: [] };
}

/** `diff -r` without git: the line stands alone. */
function readBinaryNotice(line: string): DiffFile | null {
  const match = /^Binary files (.+) and (.+) differ\r?$/su.exec(line);
  if (match === null) return null;
  const header = plainHeader(
    { old: parseSideName(match[1] ?? ''), new: parseSideName(match[2] ?? '') },
    { old: false, new: false },
  );
  return header === null ? null : { ...header, binary: true, hunks: [] };
}

/** Of `diff.submodule=log`. */
function readSubmoduleNotice(line: string): DiffFile | null {
  const match =
    /^Submodule (.+) (?:([0-9a-f]{7,64})\.{2,3}([0-9a-f]{7,64})(?: \(.*\))?:?|contains (?:modified|untracked) content)\r?$/su.exec(
      line,
    );
  if (match === null) return null;
  const [, path = '', oldBlob = null, newBlob = null] = match;
  return { ...bareHeader(path), oldBlob, newBlob, oldMode: '160000', newMode: '160000', hunks: [] };
}

function bareHeader(path: string): FileHeader {
  return {
    path,
    oldPath: path,
    change: 'modified',
    binary: false,
    oldBlob: null,
    newBlob: null,
    oldMode: null,
    newMode: null,
  };
}

function withHunks(header: FileHeader, hunks: readonly Hunk[]): DiffFile {
  const { oldMode, newMode } = header;
  const onlyMode =
    header.change === 'modified' &&
    !header.binary &&
    hunks.length === 0 &&
    oldMode !== null &&
    newMode !== null &&
    oldMode !== newMode;
  return { ...header, change: onlyMode ? 'mode_changed' : header.change, hunks };
}
