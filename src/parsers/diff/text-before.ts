/** Undoes a file's part of a diff. */
import { createHash } from 'node:crypto';
import type { DiffFile, DiffLine, Hunk } from './types.ts';

/** The text of the old side, `null` if the file did not exist there, or `unknown` if the given text is neither side. */
export type TextBefore = { readonly known: true; readonly text: string | null } | { readonly known: false };

/** `text` is that of the file at `path`, on which the diff is applied or not; null if there is no such file. */
export function textBefore(file: DiffFile, path: string, text: string | null): TextBefore {
  const wasElsewhere = file.oldPath !== path;
  if (wasElsewhere) return { known: true, text: null };
  if (file.path !== path) return text === null ? { known: false } : { known: true, text };
  if (text === null) {
    const isShown = file.change === 'deleted' && !file.binary;
    return isShown ? { known: true, text: oldSideOf(file.hunks) } : { known: false };
  }
  const side = sideByBlob(file, text);
  if (file.change === 'deleted' || side === 'old') return { known: true, text };
  // A binary, which any file is that .gitattributes call one, does not show what changed.
  if (file.hunks.length === 0) return hasSameText(file) ? { known: true, text } : { known: false };
  const undone = undo(file.hunks, text);
  if (undone !== null) return { known: true, text: undone };
  return side === null && fits(file.hunks, text) ? { known: true, text } : { known: false };
}

/** A mode or a name alone changed: such a part of a diff has no blob ids. */
function hasSameText({ binary, oldBlob, newBlob }: DiffFile): boolean {
  return !binary && oldBlob === newBlob;
}

function sideByBlob({ oldBlob, newBlob }: DiffFile, text: string): 'old' | 'new' | null {
  const bytes = Buffer.from(text);
  const id = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const names = (blob: string | null) => blob !== null && blob.length >= 7 && id.startsWith(blob);
  if (names(newBlob)) return 'new';
  return names(oldBlob) ? 'old' : null;
}

/** Returns null if the text is not the new side. */
function undo(hunks: readonly Hunk[], text: string): string | null {
  const lines = text.split('\n');
  const old: string[] = [];
  let next = 0;
  for (const { newStart, newLines, lines: changed } of hunks) {
    const start = newLines === 0 ? newStart : newStart - 1;
    const created = textsOf(changed, 'removed');
    if (start < next || !isAt(lines, start, created)) return null;
    old.push(...lines.slice(next, start), ...textsOf(changed, 'added'));
    next = start + created.length;
  }
  return [...old, ...lines.slice(next)].join('\n');
}

function fits(hunks: readonly Hunk[], text: string): boolean {
  const lines = text.split('\n');
  return hunks.every(({ oldStart, oldLines, lines: changed }) =>
    isAt(lines, oldLines === 0 ? oldStart : oldStart - 1, textsOf(changed, 'added')),
  );
}

function isAt(lines: readonly string[], start: number, wanted: readonly string[]): boolean {
  return wanted.every((text, index) => lines[start + index] === text);
}

function oldSideOf(hunks: readonly Hunk[]): string {
  return hunks.flatMap(({ lines }) => textsOf(lines, 'added').map((text) => `${text}\n`)).join('');
}

/** Returns all lines but those of one kind. */
function textsOf(lines: readonly DiffLine[], without: DiffLine['kind']): readonly string[] {
  return lines.filter(({ kind }) => kind !== without).map(({ text }) => text);
}
