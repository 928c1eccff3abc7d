import type { DiffFile, DiffLine, Hunk, LineRange } from '../parsers/unified-diff-types.ts';

export interface RenderedDiff {
  /** Plain unified diff, without numbers in front of the lines: a quotation copies verbatim. */
  readonly text: string;
  /** The lines that stand in `text`: added and context lines by their new number, removed ones by their old. */
  readonly shown: readonly LineRange[];
}

/** Writes files back as a unified diff that `git apply` and our own parser read. */
export function renderDiff(files: readonly DiffFile[]): RenderedDiff {
  return {
    text: files.map(fileText).join(''),
    shown: files.flatMap((file) => [...newRanges(file), ...oldRanges(file)]),
  };
}

function fileText(file: DiffFile): string {
  const lines = [...headerLines(file), ...file.hunks.flatMap(hunkLines)];
  return lines.map((line) => `${line}\n`).join('');
}

function headerLines(file: DiffFile): readonly string[] {
  const oldPath = file.oldPath ?? file.path;
  const lines = [
    `diff --git ${quotePath(`a/${oldPath}`)} ${quotePath(`b/${file.path}`)}`,
    ...modeLines(file),
  ];
  if (file.change === 'renamed' || file.change === 'copied') {
    const verb = file.change === 'renamed' ? 'rename' : 'copy';
    lines.push(`${verb} from ${quotePath(oldPath)}`, `${verb} to ${quotePath(file.path)}`);
  }
  if (file.oldBlob !== null && file.newBlob !== null) lines.push(`index ${file.oldBlob}..${file.newBlob}`);
  const before = file.change === 'added' ? '/dev/null' : quotePath(`a/${oldPath}`);
  const after = file.change === 'deleted' ? '/dev/null' : quotePath(`b/${file.path}`);
  if (file.binary) lines.push(`Binary files ${before} and ${after} differ`);
  if (file.hunks.length > 0) lines.push(`--- ${before}`, `+++ ${after}`);
  return lines;
}

function modeLines({ change, oldMode, newMode }: DiffFile): readonly string[] {
  if (change === 'added') return newMode === null ? [] : [`new file mode ${newMode}`];
  if (change === 'deleted') return oldMode === null ? [] : [`deleted file mode ${oldMode}`];
  return oldMode === null || newMode === null || oldMode === newMode
    ? []
    : [`old mode ${oldMode}`, `new mode ${newMode}`];
}

function hunkLines(hunk: Hunk): readonly string[] {
  const { oldStart, oldLines, newStart, newLines, heading } = hunk;
  const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return [heading === '' ? head : `${head} ${heading}`, ...hunk.lines.flatMap(lineTexts)];
}

const signs = { added: '+', removed: '-', context: ' ' } as const;

function lineTexts(line: DiffLine): readonly string[] {
  const text = signs[line.kind] + line.text;
  return line.noNewline ? [text, '\\ No newline at end of file'] : [text];
}

function newRanges(file: DiffFile): readonly LineRange[] {
  const numbers = file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.newLine));
  return ranges(numbers).map((range) => ({ path: file.path, side: 'new', ...range }));
}

function oldRanges(file: DiffFile): readonly LineRange[] {
  const removed = file.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind === 'removed'));
  return ranges(removed.map((line) => line.oldLine)).map((range) => ({
    path: file.path,
    side: 'old',
    ...range,
  }));
}

function ranges(numbers: readonly (number | null)[]): readonly { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const number of numbers) {
    if (number === null) continue;
    const last = found.at(-1);
    if (last !== undefined && last.end === number - 1) last.end = number;
    else found.push({ start: number, end: number });
  }
  return found;
}

/** As git quotes with `core.quotePath=false`: only control characters, `"` and `\`. */
function quotePath(path: string): string {
  const escaped = path.replace(/["\\\p{Cc}]/gu, escapeCharacter);
  return escaped === path ? path : `"${escaped}"`;
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.charCodeAt(0);
  return code < 0x80 ? `\\${code.toString(8).padStart(3, '0')}` : character;
}
