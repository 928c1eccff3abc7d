/** Reads sections of a diff that name a file by other means than two sides. */
import type { LineReader } from './lines.ts';
import { parseSideName } from './names.ts';
import { readQuotedPath } from './path.ts';
import { bareHeader, plainHeader } from './plain.ts';
import type { DiffFault, DiffFile } from './types.ts';

/** Skips a merge's diff, which compares with two old sides: no line numbering fits both. */
export function passCombined(reader: LineReader, name: string, faults: DiffFault[]): null {
  const path = readQuotedPath(name)?.path ?? name;
  faults.push({
    kind: 'merge',
    line: reader.lineNumber(),
    message: `${path} is compared with both sides of a merge`,
  });
  reader.take();
  const partOfIt =
    /^(?:@@@|[ +\-\\]|index |mode |new file mode |deleted file mode |Binary files |similarity |rename |copy )/u;
  for (let line = reader.peek(); line !== null && partOfIt.test(line); line = reader.peek()) reader.take();
  return null;
}

/**
 * Reads the heading that Subversion and CVS write before each file. Without two sides after it, only this names the
 * file.
 */
export function readIndexed(reader: LineReader, path: string, preamble: string[]): DiffFile | null {
  const line = reader.take() ?? '';
  if (!/^={60,}\r?$/u.test(reader.peek() ?? '')) {
    preamble.push(line);
    return null;
  }
  reader.take();
  const next = reader.peek() ?? '';
  if (next !== '' && !/^(?:Index: |Cannot display: )/u.test(next)) return null;
  const binary = next.startsWith('Cannot display: ');
  return { ...bareHeader(path), binary, hunks: [] };
}

/** Reads the notice of `diff -r` without git, which has no other lines. */
export function readBinaryNotice(line: string): DiffFile | null {
  const match = /^Binary files (.+) and (.+) differ\r?$/su.exec(line);
  if (match === null) return null;
  const header = plainHeader(
    { old: parseSideName(match[1] ?? ''), new: parseSideName(match[2] ?? '') },
    { old: false, new: false },
  );
  return header === null ? null : { ...header, binary: true, hunks: [] };
}

/** Reads the notice of `diff.submodule=log`. */
export function readSubmoduleNotice(line: string): DiffFile | null {
  const match =
    /^Submodule (.+) (?:([0-9a-f]{7,64})\.{2,3}([0-9a-f]{7,64})(?: \(.*\))?:?|contains (?:modified|untracked) content)\r?$/su.exec(
      line,
    );
  if (match === null) return null;
  const [, path = '', oldBlob = null, newBlob = null] = match;
  return { ...bareHeader(path), oldBlob, newBlob, oldMode: '160000', newMode: '160000', hunks: [] };
}
