import type { AttributesByPath } from '../../parsers/diff/file-attributes.ts';

/** What `collab review` was asked to look at, and what became of it. */
export type ChangeRequest =
  | { readonly kind: 'file'; readonly path: string }
  /** Text that was read from standard input. */
  | { readonly kind: 'stdin'; readonly text: string | Uint8Array }
  /** `a...b`: b since it left a. `a..b`: a against b. An empty end is HEAD. */
  | { readonly kind: 'range'; readonly range: string }
  /** The commits of HEAD since it left `ref`. */
  | { readonly kind: 'base'; readonly ref: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'commit'; readonly sha: string }
  /** Tracked changes, staged or not, and untracked files that are not ignored. */
  | { readonly kind: 'working_tree' };

export interface ChangeInput {
  readonly kind: ChangeRequest['kind'];
  /** Whole commit ids; null where that side is no commit: a file, the index, the work tree, before the first commit. */
  readonly base: string | null;
  readonly head: string | null;
  readonly mergeBase: string | null;
  readonly diffText: string;
  /** What the authors of its commits say of it, the newest first; null where it has no commits of its own. */
  readonly messages: string | null;
  /** One line: what was taken. */
  readonly description: string;
  readonly empty: boolean;
  /** What the old side says of the changed files; nothing of a file and standard input. */
  readonly attributes: AttributesByPath;
  /** Top of the work tree that the change comes from; null for a file and standard input. */
  readonly root: string | null;
}

/** A larger change is refused. */
export const maxDiffBytes = 256 * 1024 * 1024;
