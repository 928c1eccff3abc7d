import type { AttributesByPath } from '../../parsers/diff/file-attributes.ts';
import type { ContextCosts } from '../../parsers/diff/widen-change.ts';

/** The request of `collab review`, and the change that it resolved to. */
export type ChangeRequest =
  /** `text` is its content, if it was read: a pipe can be read only once. */
  | { readonly kind: 'file'; readonly path: string; readonly text?: Uint8Array }
  /** Text from standard input; with a title, from there. */
  | { readonly kind: 'stdin'; readonly text: string | Uint8Array; readonly title?: string }
  /** `a...b`: the commits of b since it branched off a. `a..b`: a against b. An empty end is HEAD. */
  | { readonly kind: 'range'; readonly range: string; readonly title?: string }
  /** The commits of HEAD since it branched off `ref`. */
  | { readonly kind: 'base'; readonly ref: string }
  | { readonly kind: 'staged' }
  | { readonly kind: 'commit'; readonly sha: string }
  /** Tracked changes, staged or not, and untracked files that are not ignored. */
  | { readonly kind: 'working_tree' };

/** A file in the folder of a changed file or above. */
export interface FileBeside {
  readonly path: string;
  /** The text; null if the file is a link, which is not followed, or no text. */
  readonly text: string | null;
}

export interface ChangeInput {
  readonly kind: ChangeRequest['kind'];
  /** Full commit ids; null when that side is not a commit: a file, the index, the work tree, before the first commit. */
  readonly base: string | null;
  readonly head: string | null;
  readonly mergeBase: string | null;
  /** The untracked files among the changed ones, of a working tree. */
  readonly untracked?: readonly string[];
  /** The untracked files that ignore rules of the change itself keep out of it; a folder's path ends with a slash. */
  readonly hidden?: readonly string[];
  /** The tree of the new side; null for a file and standard input. */
  readonly tree: string | null;
  readonly diffText: string;
  /** The commit messages, newest first; null when the change has no commits of its own. */
  readonly messages: string | null;
  /** One line that describes the source of the change. */
  readonly description: string;
  readonly empty: boolean;
  /** Attributes of the changed files on the old side; empty for a file and standard input. */
  readonly attributes: AttributesByPath;
  /** Files that were requested by name, as on the old side; absent for a file and standard input. */
  readonly beside?: readonly FileBeside[];
  /** The bytes that each level of context adds to the diff; absent for a file and standard input. */
  readonly contextCosts?: ContextCosts;
  /** Top of the change's work tree; null for a file and standard input. */
  readonly root: string | null;
}

/** A larger change is refused. */
export const maxDiffBytes = 256 * 1024 * 1024;
