import { quotePath } from './path.ts';
import type { DiffFile, DiffLine, Hunk } from './types.ts';

/** Renders a file's part of a diff as git does, its hunks byte for byte. Ends with a newline. */
export function renderDiffFile(file: DiffFile): string {
  const lines = [...headerLines(file), ...(file.hunks.length > 0 ? sideLines(file) : [])];
  return `${lines.join('\n')}\n${file.hunks.map(renderHunk).join('')}`;
}

function headerLines(file: DiffFile): readonly string[] {
  const { old, new: created } = prefixed(file);
  return [
    `diff --git ${quotePath(old)} ${quotePath(created)}`,
    ...modeLines(file),
    ...moveLines(file),
    ...indexLine(file),
    ...(file.binary ? [binaryLine(file)] : []),
  ];
}

function modeLines({ change, oldMode, newMode, oldBlob }: DiffFile): readonly string[] {
  if (change === 'added') return newMode === null ? [] : [`new file mode ${newMode}`];
  if (change === 'deleted') return oldMode === null ? [] : [`deleted file mode ${oldMode}`];
  if (oldMode === newMode && oldBlob !== null) return [];
  return [
    ...(oldMode === null ? [] : [`old mode ${oldMode}`]),
    ...(newMode === null ? [] : [`new mode ${newMode}`]),
  ];
}

function moveLines({ change, oldPath, path }: DiffFile): readonly string[] {
  if (change !== 'renamed' && change !== 'copied') return [];
  const verb = change === 'renamed' ? 'rename' : 'copy';
  return [`${verb} from ${quotePath(oldPath ?? path)}`, `${verb} to ${quotePath(path)}`];
}

function indexLine({ oldBlob, newBlob, oldMode, newMode }: DiffFile): readonly string[] {
  if (oldBlob === null || newBlob === null) return [];
  return [`index ${oldBlob}..${newBlob}${oldMode !== null && oldMode === newMode ? ` ${oldMode}` : ''}`];
}

function binaryLine(file: DiffFile): string {
  const { old, new: created } = sidesOf(file);
  return `Binary files ${old} and ${created} differ`;
}

function sideLines(file: DiffFile): readonly string[] {
  const { old, new: created } = sidesOf(file);
  return [`--- ${markSpaces(old)}`, `+++ ${markSpaces(created)}`];
}

/** Appends a tab to a name with a space, as git does, so that no timestamp is read into it. */
function markSpaces(name: string): string {
  return name.includes(' ') ? `${name}\t` : name;
}

function sidesOf(file: DiffFile): { readonly old: string; readonly new: string } {
  const { old, new: created } = prefixed(file);
  return {
    old: file.change === 'added' ? '/dev/null' : quotePath(old),
    new: file.change === 'deleted' ? '/dev/null' : quotePath(created),
  };
}

function prefixed({ oldPath, path }: DiffFile): { readonly old: string; readonly new: string } {
  return { old: `a/${oldPath ?? path}`, new: `b/${path}` };
}

export function renderHunk(hunk: Hunk): string {
  const header = `@@ -${span(hunk.oldStart, hunk.oldLines)} +${span(hunk.newStart, hunk.newLines)} @@`;
  const heading = hunk.heading === '' ? '' : ` ${hunk.heading}`;
  return `${header}${heading}\n${hunk.lines.map(renderLine).join('')}`;
}

function span(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}

const marks = { added: '+', removed: '-', context: ' ' } as const;

export function renderLine({ kind, text, noNewline }: DiffLine): string {
  return `${marks[kind]}${text}\n${noNewline ? '\\ No newline at end of file\n' : ''}`;
}
