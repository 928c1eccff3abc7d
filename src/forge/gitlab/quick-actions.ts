/** The one place that writes notes on GitLab: their quick actions, such as `/close`, have the rights of our token. */
import { breakQuickActions } from '../../views/reports/foreign-text.ts';
import type { ForgeRequest } from '../forge-client.ts';

interface Note {
  readonly path: string;
  readonly text: string;
  /** Its lines in the change, as GitLab wants them; absent for a note in the conversation. */
  readonly position?: Readonly<Record<string, unknown>>;
}

/**
 * The request of every note that we write, or rewrite. Some versions of GitLab end a block of code at the first line with three
 * backticks, so lines of code count, too.
 */
export function noteRequest({ path, text, ...rest }: Note, method: 'POST' | 'PUT' = 'POST'): ForgeRequest {
  return { method, path, body: { body: breakQuickActions(text), ...rest } };
}
