import { readGitHeader, takeSideLines, type FileHeader } from './header.ts';
import { readHunks, startsHunk } from './hunk.ts';
import { createLineReader, withoutCarriageReturn, type LineReader } from './lines.ts';
import { isAbsent, longestScannedLine, parseSideName } from './names.ts';
import { passCombined, readBinaryNotice, readIndexed, readSubmoduleNotice } from './notices.ts';
import { plainHeader } from './plain.ts';
import type { DiffFault, DiffFile, FileChange, Hunk, ParsedDiff } from './types.ts';

/**
 * Reads the output of `git diff`, `git show`, `git format-patch` and `diff -u`. Total: any text gives a value; garbage
 * gives no files, and contradictions give `faults`. Takes time in proportion to the text.
 */
export function parseUnifiedDiff(text: string): ParsedDiff {
  const reader = createLineReader(text);
  const files: DiffFile[] = [];
  const preamble: string[] = [];
  const faults: DiffFault[] = [];
  const findRepetition = watchRepetition();
  const missing = watchMissingTexts();
  for (let line = reader.peek(); line !== null; line = reader.peek()) {
    const lineNumber = reader.lineNumber();
    missing.see(line, lineNumber);
    const file = readSection(reader, line, { preamble, faults });
    if (file === null) continue;
    files.push(file);
    faults.push(...findRepetition(file, lineNumber));
  }
  return { files, preamble, faults: [...faults, ...missing.faults()] };
}

/** Detects missing texts: `diff -r` without `-N` names a file that one side lacks, but omits its text. */
function watchMissingTexts() {
  const named: DiffFault[] = [];
  let comparesFolders = false;
  return {
    see: (text: string, line: number): void => {
      if (/^diff -\w*r/u.test(text)) comparesFolders = true;
      if (/^Only in .+: ./u.test(text)) named.push({ kind: 'text_missing', line, message: text.trimEnd() });
    },
    faults: (): readonly DiffFault[] => (comparesFolders ? named : []),
  };
}

/**
 * Detects repeated files. Only a file that becomes a link or a submodule occurs twice in one change: deleted, then
 * added.
 */
function watchRepetition(): (file: DiffFile, line: number) => readonly DiffFault[] {
  const seen = new Map<string, FileChange>();
  return ({ path, change, hunks }, line) => {
    if (hunks.length === 0) return [];
    const former = seen.get(path);
    seen.set(path, change);
    if (former === undefined || (former === 'deleted' && change === 'added')) return [];
    return [{ kind: 'repeated', line, message: `${path} is in it twice` }];
  };
}

interface Sink {
  readonly preamble: string[];
  readonly faults: DiffFault[];
}

/** Reads at least one line. */
function readSection(reader: LineReader, line: string, sink: Sink): DiffFile | null {
  if (line.startsWith('diff --git ')) return readGitSection(reader, line, sink);
  const combined = /^diff --(?:cc|combined) (.+)$/su.exec(line);
  if (combined !== null) return passCombined(reader, withoutCarriageReturn(combined[1] ?? ''), sink.faults);
  const indexed = /^Index: (.+)$/su.exec(line);
  if (indexed !== null) return readIndexed(reader, withoutCarriageReturn(indexed[1] ?? ''), sink.preamble);
  if (line.startsWith('--- ')) return readPlainSection(reader, line, sink);
  if (startsHunk(line))
    sink.faults.push({ kind: 'damaged', line: reader.lineNumber(), message: 'a hunk belongs to no file' });
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
  if (expectsHunks && hunks.length === 0)
    faults.push({ kind: 'damaged', line: lineNumber, message: 'a file has no hunk' });
  if (file !== null) return withHunks(file, hunks);
  preamble.push(line);
  if (hunks.length > 0)
    faults.push({ kind: 'damaged', line: lineNumber, message: 'the paths of a file cannot be read' });
  return null;
}

/**
 * Reads two sides without a `diff --git` line; they count only with a hunk after them, because prose may contain `--- `
 * too.
 */
function readPlainSection(reader: LineReader, line: string, { preamble, faults }: Sink): DiffFile | null {
  const sides = takeSideLines(reader);
  if (sides === null || !startsHunk(reader.peek())) {
    preamble.push(line);
    if (sides !== null) preamble.push(`+++ ${sides.new}`);
    return null;
  }
  const hunks = readHunks(reader, faults);
  const absent = {
    old: isAbsent(sides.old) && hunks.every(({ oldLines }) => oldLines === 0),
    new: isAbsent(sides.new) && hunks.every(({ newLines }) => newLines === 0),
  };
  const header = plainHeader({ old: parseSideName(sides.old), new: parseSideName(sides.new) }, absent);
  if (header !== null) return withHunks(header, hunks);
  preamble.push(line, `+++ ${sides.new}`);
  return null;
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
