/** The requests of a command in a comment, in one form for all hosts. Each function throws `ForgeError`. */
import type { RoundHost } from '../round/round-host.ts';
import type { CommentName } from './comment-name.ts';

/** A comment as it is now; all of it is foreign. */
export interface PullComment {
  readonly body: string;
  /** The name of the login. */
  readonly author: string;
  /** The host's id of the author, by which it is asked for the permission. */
  readonly authorId: string;
  readonly isBot: boolean;
}

export interface CommentHost extends RoundHost {
  /** Returns null if there is none on this pull request: it was deleted, or belongs to another one. */
  readonly readComment: (name: CommentName) => Promise<PullComment | null>;
  /** Returns true if the host lets the author write to the repository. */
  readonly mayWrite: (comment: PullComment) => Promise<boolean>;
  /** Writes into the conversation. */
  readonly say: (body: string) => Promise<void>;
  readonly branches: BranchHost;
}

export interface BranchHost {
  /** Reads a text file of a commit; null if there is none, or something on the way is a link or a module. */
  readonly readFile: (commit: string, path: string) => Promise<FileOnHost | null>;
  /** Returns false if nothing at all has this path in the commit. */
  readonly hasPath: (commit: string, path: string) => Promise<boolean>;
  /** Makes the branch with one commit, or finds it made; returns the address of its page. */
  readonly putBranch: (branch: NewBranch) => Promise<string>;
}

export interface FileOnHost {
  readonly text: string;
  readonly mode: string;
}

export interface NewBranch {
  readonly name: string;
  /** The parent of its commit. */
  readonly parent: string;
  readonly message: string;
  readonly files: readonly NewFile[];
}

interface NewFile {
  readonly path: string;
  readonly mode: string;
  /** The new text; null: the file is deleted. */
  readonly text: string | null;
  /** True if the parent has no such file. */
  readonly isNew: boolean;
}
