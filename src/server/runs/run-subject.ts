/** The subject of a run as a code with its value, for pages that show titles in their own language. */
import { z } from 'zod';
import type { RunInput } from '../../runs/folder/run-input.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { nameOfDiff } from '../../git/change/name-of-diff.ts';
import { unnamedDiff } from '../../git/change/read-diff-text.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { titleOf } from '../../text/title-of.ts';

export const runSubjectSchema = z.object({
  kind: z.enum(['working_tree', 'staged', 'diff', 'commit', 'fix']),
  /** The commit, or the first file of a diff with the number of the others; null for the others. */
  name: z.string().nullable(),
});
export type RunSubject = z.infer<typeof runSubjectSchema>;

const shortestId = 10;

/** Returns null for a subject that is named by the user's own words, such as a task or a range. */
export function subjectOfStart(request: StartRequest): RunSubject | null {
  if (request.kind === 'fix') return { kind: 'fix', name: null };
  if (request.kind !== 'review') return null;
  const [change = { kind: 'working_tree' as const }] = request.changes;
  if (change.kind === 'stdin') {
    const name = nameOfDiff(change.text);
    return { kind: 'diff', name: name === null ? null : titleOf(masked(name)) };
  }
  if (change.kind === 'working_tree' || change.kind === 'staged') return { kind: change.kind, name: null };
  return change.kind === 'commit' ? { kind: 'commit', name: change.sha } : null;
}

/** Like `subjectOfStart`, for a run of the command line. A diff with a name, such as a pull request's, keeps its title. */
export function subjectOfInput(input: RunInput): RunSubject | null {
  if (input.kind === 'fix') return { kind: 'fix', name: null };
  if (input.kind !== 'review') return null;
  const { kind, description, head } = input.change;
  if (kind === 'stdin') return description === unnamedDiff ? { kind: 'diff', name: null } : null;
  if (kind === 'working_tree' || kind === 'staged') return { kind, name: null };
  return kind === 'commit' && head !== null ? { kind, name: head.slice(0, shortestId) } : null;
}
