/** Names a comment as the pages and events of hosts do. */
import { CollabError } from '../../errors/collab-error.ts';

/** `line`: in a thread on lines of the change; only GitHub counts the two kinds apart. */
export interface CommentName {
  readonly kind: 'conversation' | 'line';
  /** Digits. */
  readonly id: string;
}

/** Accepts `123`, `issuecomment-123`, `discussion_r123` and `note_123`. @throws CollabError `usage` */
export function readCommentName(words: string): CommentName {
  const [, prefix = '', id] = /^(issuecomment-|discussion_r|note_)?([1-9]\d{0,19})$/.exec(words) ?? [];
  if (id !== undefined) return { kind: prefix === 'discussion_r' ? 'line' : 'conversation', id };
  throw new CollabError('usage', `"${words}" names no comment`, {
    hint: 'write its id as its address has it: issuecomment-123, discussion_r123, note_123',
  });
}

/** The name in our marks: `issuecomment-123`, `discussion_r123`. */
export function describeCommentName({ kind, id }: CommentName): string {
  return kind === 'line' ? `discussion_r${id}` : `issuecomment-${id}`;
}
