/** Decides which paths of the user's tree a change may touch, for all paths before the first one is written. */
import { readdir } from 'node:fs/promises';
import { isSame, presentAt, type Present } from './apply-look.ts';
import type { EntryChange } from '../working-copy/entries.ts';
import {
  bytesBelow,
  isKeptOut,
  isUnsafe,
  toBytePath,
  toBytes,
  type BytePath,
} from '../working-copy/paths.ts';

export interface Obstacle {
  readonly path: BytePath;
  /** The rest of a sentence that begins with the path. */
  readonly reason: string;
}

export interface ApplyPlan {
  readonly todo: readonly EntryChange[];
  /** Already as the run left it. */
  readonly done: readonly EntryChange[];
  readonly obstacles: readonly Obstacle[];
}

export async function planApply(root: string, changes: readonly EntryChange[]): Promise<ApplyPlan> {
  const leaving = leavingPaths(changes);
  const todo: EntryChange[] = [];
  const done: EntryChange[] = [];
  const obstacles: Obstacle[] = [];
  for (const change of changes) {
    const verdict = await judgePath(root, change, leaving);
    if (verdict === 'todo') todo.push(change);
    else if (verdict === 'done') done.push(change);
    else obstacles.push({ path: change.path, reason: verdict.reason });
  }
  return { todo, done, obstacles };
}

/** Returns the paths that the change removes. */
export function leavingPaths(changes: readonly EntryChange[]): ReadonlySet<BytePath> {
  return new Set(changes.filter(({ after }) => after === null).map(({ path }) => path));
}

export type PathVerdict = 'todo' | 'done' | { readonly reason: string };

export async function judgePath(
  root: string,
  change: EntryChange,
  leaving: ReadonlySet<BytePath>,
): Promise<PathVerdict> {
  const { path, before, after } = change;
  if (isUnsafe(path) || isKeptOut(toBytes(path))) return { reason: 'is not a path that a run may write' };
  if (before?.kind === 'submodule' || after?.kind === 'submodule') return { reason: 'is a submodule' };
  const present = await presentAt(root, path);
  if (isSame(present, after, before)) return 'done';
  if (before !== null) {
    return isSame(present, before, after) ? 'todo' : { reason: whyChanged(present) };
  }
  return (await isFree(root, path, present, leaving)) ? 'todo' : { reason: whyTaken(present) };
}

async function isFree(
  root: string,
  path: BytePath,
  present: Present,
  leaving: ReadonlySet<BytePath>,
): Promise<boolean> {
  if (present.kind === 'absent') return true;
  if (present.kind === 'below_file') return leaving.has(present.at);
  return present.kind === 'folder' && everyFileLeaves(root, path, leaving);
}

async function everyFileLeaves(root: string, at: BytePath, leaving: ReadonlySet<BytePath>): Promise<boolean> {
  const entries = await readdir(bytesBelow(root, at), { encoding: 'buffer', withFileTypes: true });
  for (const entry of entries) {
    const path = `${at}/${toBytePath(entry.name)}`;
    const leaves = entry.isDirectory() ? await everyFileLeaves(root, path, leaving) : leaving.has(path);
    if (!leaves) return false;
  }
  return true;
}

function whyChanged(present: Present): string {
  if (present.kind === 'absent' || present.kind === 'folder') return 'is no longer there';
  return outOfReach(present) ?? 'was changed since the run copied it';
}

function whyTaken(present: Present): string {
  return outOfReach(present) ?? 'is new in the run, but something else is there';
}

function outOfReach({ kind }: Present): string | null {
  switch (kind) {
    case 'below_link':
      return 'is behind a link';
    case 'below_repository':
      return 'is in another repository';
    case 'below_file':
      return 'is in a folder that is a file now';
    case 'device':
      return 'is neither a file nor a link now';
    default:
      return null;
  }
}
