// A file of a change is { path, oldPath?, kind, rows, mode?, oldMode? }. `kind` is modified, added, deleted, renamed or
// copied; a row is a line of the whole file after its mark (`+`, `-` or a space), or { row, rule, severity } for a
// planted fault.
import { createHash } from 'node:crypto';

const contextLines = 3;

export function renderFile(file) {
  const hunks = hunksOf(file);
  const lines = [...headOf(file, hunks.length > 0), ...hunks.flatMap(renderHunk)];
  return `${lines.join('\n')}\n`;
}

/** Returns the places of the planted faults. */
export function placesIn(file) {
  return numbered(file.rows)
    .filter(({ fault }) => fault !== null)
    .map(({ mark, oldLine, newLine, fault }) => ({
      path: file.path,
      side: mark === '-' ? 'old' : 'new',
      line: mark === '-' ? oldLine : newLine,
      ...fault,
    }));
}

function headOf(file, hasHunks) {
  const { path, oldPath = path, kind, mode = '100644', oldMode = mode } = file;
  const [old, created] = [`a/${oldPath}`, `b/${path}`].map(quoted);
  const head = [`diff --git ${old} ${created}`];
  if (kind === 'added') head.push(`new file mode ${mode}`);
  if (kind === 'deleted') head.push(`deleted file mode ${oldMode}`);
  if (mode !== oldMode) head.push(`old mode ${oldMode}`, `new mode ${mode}`);
  if (kind === 'renamed' || kind === 'copied') {
    const verb = kind === 'renamed' ? 'rename' : 'copy';
    head.push(`similarity index ${similarity(file)}%`);
    head.push(`${verb} from ${quoted(oldPath)}`, `${verb} to ${quoted(path)}`);
  }
  if (!hasHunks) return head;
  const blobs = ['-', '+'].map((side) => blobOf(file, side)).join('..');
  head.push(`index ${blobs}${kind === 'added' || kind === 'deleted' || mode !== oldMode ? '' : ` ${mode}`}`);
  head.push(
    `--- ${kind === 'added' ? '/dev/null' : old}`,
    `+++ ${kind === 'deleted' ? '/dev/null' : created}`,
  );
  return head;
}

/** Quotes a path that is not plain ASCII, as git does. */
function quoted(path) {
  const bytes = [...Buffer.from(path)];
  if (bytes.every((byte) => byte < 0x80)) return path;
  const escaped = bytes.map((byte) =>
    byte < 0x80 ? String.fromCodePoint(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}

function similarity({ rows }) {
  return Math.floor((100 * rows.filter((row) => markOf(row) === ' ').length) / rows.length);
}

/** Returns git's id for the content of one side; zeros if there is none. */
function blobOf({ rows }, side) {
  const lines = rows.filter((row) => [' ', side].includes(markOf(row))).map(textOf);
  if (lines.length === 0) return '0'.repeat(40);
  const content = `${lines.join('\n')}\n`;
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex');
}

function hunksOf({ rows }) {
  const lines = numbered(rows);
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ mark }) => mark !== ' '),
  );
  const hunks = [];
  lines.forEach((line, index) => {
    if (!near[index]) return;
    if (!near[index - 1]) hunks.push({ heading: headingBefore(lines, index), lines: [] });
    hunks.at(-1).lines.push(line);
  });
  return hunks;
}

/** Follows git's default: the last line of the old side that begins with a letter, `_` or `$`. */
function headingBefore(lines, index) {
  return (
    lines
      .slice(0, index)
      .findLast(({ mark, text }) => mark !== '+' && /^[A-Za-z_$]/.test(text))
      ?.text.slice(0, 80)
      .trimEnd() ?? ''
  );
}

function renderHunk({ heading, lines }) {
  const span = (numberOf, before) => {
    const numbers = lines.map(numberOf).filter((line) => line !== null);
    const start = numbers[0] ?? before;
    return numbers.length === 1 ? `${start}` : `${start},${numbers.length}`;
  };
  const old = span(({ oldLine }) => oldLine, 0);
  const created = span(({ newLine }) => newLine, 0);
  const head = `@@ -${old} +${created} @@${heading === '' ? '' : ` ${heading}`}`;
  return [head, ...lines.map(({ mark, text }) => mark + text)];
}

function numbered(rows) {
  let [oldLine, newLine] = [0, 0];
  return rows.map((row) => {
    const mark = markOf(row);
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
    return {
      mark,
      text: textOf(row),
      oldLine: mark === '+' ? null : oldLine,
      newLine: mark === '-' ? null : newLine,
      fault: typeof row === 'string' ? null : { severity: row.severity, rule: row.rule },
    };
  });
}

function markOf(row) {
  return lineOf(row)[0];
}

function textOf(row) {
  return lineOf(row).slice(1);
}

function lineOf(row) {
  return typeof row === 'string' ? row : row.row;
}
