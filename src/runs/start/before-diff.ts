/** The files of the checkout as they were before a diff from elsewhere, which may be applied to the checkout or not. */
import { existsSync } from 'node:fs';
import { basename, join, posix, relative, sep } from 'node:path';
import { filesOnDisk, type FileSource } from '../../config/file-source.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { textBefore, type TextBefore } from '../../parsers/diff/text-before.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { realPlace } from '../../system/files/in-folder.ts';

/**
 * Reads files below `top` that the diff does not name from the disk, and undoes the diff in the others. A read throws `config` if
 * the file on the disk is neither side of the diff, or is reached through a link: the diff could change its target.
 */
export function filesBeforeDiff(diff: string, top: string): FileSource {
  let files: readonly DiffFile[] | null = null;
  return {
    ...filesOnDisk,
    async read(path, name, mostBytes) {
      const text = await readWithoutLink(path, { top, name, mostBytes });
      if (!mayName(diff, path)) return text;
      files ??= parseUnifiedDiff(diff).files;
      const before = undo(files, { path: relative(top, path).split(sep).join('/'), top, text });
      if (before.known) return before.text;
      throw new CollabError('config', `${name} is neither side of the diff`);
    },
  };
}

interface Reading {
  readonly top: string;
  readonly name: string;
  readonly mostBytes: number;
}

async function readWithoutLink(path: string, { top, name, mostBytes }: Reading): Promise<string | null> {
  const text = await filesOnDisk.read(path, name, mostBytes);
  if (text === null || realPlace(path) === join(realPlace(top), relative(top, path))) return text;
  throw new CollabError('config', `${name} is reached through a link`);
}

/** A cheap check. A name in quotation marks may have escapes. */
function mayName(diff: string, path: string): boolean {
  return diff.toLowerCase().includes(basename(path).toLowerCase()) || quotedName.test(diff);
}

const quotedName = /^(?:diff |--- |\+\+\+ |rename |copy |Index: )[^\n]*"/mu;

interface FileHere {
  /** As a diff of the repository names it. */
  readonly path: string;
  readonly top: string;
  /** The text on the disk; null if there is no file. */
  readonly text: string | null;
}

function undo(diff: readonly DiffFile[], { path, top, text }: FileHere): TextBefore {
  const files = diff.map((file) => ({
    ...file,
    path: plainName(file.path),
    oldPath: file.oldPath === null ? null : plainName(file.oldPath),
  }));
  const name = nameInDiff(files, path);
  const named = files.filter((file) => name !== null && isSame(file.path, name));
  const [part] = named;
  if (part === undefined) {
    const isMoved = files.some(
      ({ oldPath, change }) => change !== 'copied' && oldPath !== null && isSame(oldPath, name),
    );
    return isMoved && text === null ? { known: false } : undoLonger(files, { path, top, text });
  }
  // A file that becomes a link is deleted and added.
  if (named.length > 1) return { known: false };
  // A shorter name is that of a file in another folder if there is none here.
  const isOther = text === null && part.change === 'modified' && !isSame(part.path, path);
  return isOther ? { known: true, text } : textBefore(part, part.path, text);
}

/** A name of more folders is that of a file elsewhere, unless the diff is written for another folder and fits the file here. */
function undoLonger(files: readonly DiffFile[], { path, top, text }: FileHere): TextBefore {
  for (const file of files) {
    if (!endsWith(file.path, path) && !endsWith(file.oldPath ?? '', path)) continue;
    const isHere = !isElsewhere(file.path, top);
    if (text === null && (isHere || file.change !== 'deleted')) continue;
    // The same lines at the same place, under whatever name: the diff may have been applied here.
    const change = file.change === 'deleted' ? file.change : 'modified';
    const before = textBefore({ ...file, change, oldPath: file.path }, file.path, text);
    if (before.known ? before.text !== text : !isHere) return before;
  }
  return { known: true, text };
}

/** Returns the name as git and `patch` understand it: without `.`, `..`, empty parts and backslashes. */
function plainName(name: string): string {
  return posix.normalize(name.replaceAll('\\', '/').replace(/^\/+/u, ''));
}

/** A diff of one folder, as of `git diff --relative`, has shorter names. */
function nameInDiff(files: readonly DiffFile[], path: string): string | null {
  const names = files.flatMap((file) => [file.path, ...(file.oldPath === null ? [] : [file.oldPath])]);
  const [longest] = names
    .filter((name) => endsWith(path, name))
    .toSorted((left, right) => right.length - left.length);
  return longest ?? null;
}

function isElsewhere(name: string, top: string): boolean {
  const first = /^\/?[^/]*/u.exec(name)?.[0] ?? '';
  return first === '..' || !existsSync(join(top, first));
}

function endsWith(path: string, name: string): boolean {
  return `/${path}`.toLowerCase().endsWith(`/${name}`.toLowerCase());
}

/** Some file systems do not distinguish case. */
function isSame(left: string, right: string | null): boolean {
  return left.toLowerCase() === right?.toLowerCase();
}
