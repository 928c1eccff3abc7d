/** Sections of a diff that name a file by other means than two sides. */
import type { LineReader } from './lines.ts';
import { parseSideName } from './names.ts';
import { readQuotedPath } from './path.ts';
import { bareHeader, plainHeader } from './plain.ts';
import type { DiffFault, DiffFile } from './types.ts';

/** A merge's diff compares with two old sides. Its lines are passed over: no numbering fits both. */
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

/** The head that Subversion and CVS put before each file. Without two sides behind it, only this names the file. */
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

/** `diff -r` without git: the line stands alone. */
export function readBinaryNotice(line: string): DiffFile | null {
  const match = /^Binary files (.+) and (.+) differ\r?$/su.exec(line);
  if (match === null) return null;
  const header = plainHeader(
    { old: parseSideName(match[1] ?? ''), new: parseSideName(match[2] ?? '') },
    { old: false, new: false },
  );
  return header === null ? null : { ...header, binary: true, hunks: [] };
}

/** Of `diff.submodule=log`. */
export function readSubmoduleNotice(line: string): DiffFile | null {
  const match =
    /^Submodule (.+) (?:([0-9a-f]{7,64})\.{2,3}([0-9a-f]{7,64})(?: \(.*\))?:?|contains (?:modified|untracked) content)\r?$/su.exec(
      line,
    );
  if (match === null) return null;
  const [, path = '', oldBlob = null, newBlob = null] = match;
  return { ...bareHeader(path), oldBlob, newBlob, oldMode: '160000', newMode: '160000', hunks: [] };
}
