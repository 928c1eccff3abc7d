/** Adds an entry to the text of a suppression file; comments and other entries stay. */
import { isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { CollabError } from '../errors/collab-error.ts';
import type { Severity } from '../tags/severities.ts';
import { checkSuppressions } from './suppressions-file.ts';

export interface NewSuppression {
  readonly identity: string;
  readonly severity: Severity;
  readonly reason: string;
  readonly expires?: string;
}

export interface AddOptions {
  readonly entry: NewSuppression;
  /** A comment above the entry, on one line: an identity alone says nothing to a person. */
  readonly comment: string;
  /** The file name in messages. */
  readonly name: string;
}

/** `text` is empty if there is no file yet. @throws CollabError `config` for a text that is no suppression file */
export function addSuppression(text: string, { entry, comment, name }: AddOptions): string {
  const before = checkSuppressions(text, name);
  const document = parseDocument(text, { schema: 'core' });
  const node = document.createNode(entry);
  node.commentBefore = ` ${comment}`;
  const list: unknown = document.get('suppressions');
  if (isSeq(list)) appendTo(list, node);
  else document.set('suppressions', document.createNode([node]));
  const added = document.toString({ lineWidth: 0 });
  const after = checkSuppressions(added, name);
  if (after.length === before.length + 1 && after.at(-1)?.identity === entry.identity) return added;
  throw new CollabError('config', `no entry can be added to ${name}`, {
    hint: 'Write the list in block style: one "- identity: …" below "suppressions:".',
  });
}

function appendTo(list: YAMLSeq, node: unknown): void {
  // A list in brackets has no room for comments.
  list.flow = false;
  list.add(node);
}
