/** Reads from the command line which change to review. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { may } from '../../access/may.ts';
import { owner } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { maxDiffBytes, type ChangeRequest } from '../../git/change/change-input.ts';
import { readStandardInput } from './read-standard-input.ts';
import type { ReviewFlags } from './review-flags.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `usage` if it names two changes at once */
export async function changeRequest(
  session: Session,
  diff: string | undefined,
  flags: ReviewFlags,
): Promise<ChangeRequest> {
  const named: readonly (ChangeRequest | null)[] = [
    diff === undefined ? null : await byArgument(session, diff),
    flags.base === undefined ? null : { kind: 'base', ref: flags.base },
    flags.staged === true ? { kind: 'staged' } : null,
    flags.commit === undefined ? null : { kind: 'commit', sha: flags.commit },
  ];
  const [request, another] = named.filter((candidate) => candidate !== null);
  if (another !== undefined) {
    throw new CollabError('usage', 'two changes are named at once', {
      hint: 'give one of: a diff file, a range, --base, --staged, --commit',
    });
  }
  return request ?? { kind: 'working_tree' };
}

/** An existing file is a file; only otherwise may `a...b` be a range. */
async function byArgument(session: Session, diff: string): Promise<ChangeRequest> {
  if (diff === '-')
    return { kind: 'stdin', text: await readStandardInput(session, { mostBytes: maxDiffBytes, tooLarge }) };
  const path = resolve(session.cwd, diff);
  // Only the owner may learn whether a file exists.
  const isThere = may(session.speaker ?? owner, { does: 'name a path' }).allowed && existsSync(path);
  if (!isThere && diff.includes('..') && !diff.includes('/../') && !diff.startsWith('../')) {
    return { kind: 'range', range: diff };
  }
  return { kind: 'file', path };
}

function tooLarge(): CollabError {
  return new CollabError('input', 'standard input is larger than 256 MB', {
    hint: 'review the change in parts, for example by --include',
  });
}
