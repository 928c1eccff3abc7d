/** Decides which change a request names. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { may } from '../../access/permissions.ts';
import { owner } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { maxDiffBytes, type ChangeRequest } from '../../git/change/change-input.ts';
import { readDiff } from '../../git/change/read-diff-text.ts';
import { readNothing } from './read-text-input.ts';
import type { StartPlace } from './start-place.ts';
import type { NamedChange, ReviewStart } from './start-request.ts';

/** @throws CollabError `usage` if it names two changes at once; `input` if the diff cannot be read or is too large */
export async function changeRequest(
  { changes }: Pick<ReviewStart, 'changes'>,
  place: Pick<StartPlace, 'cwd' | 'speaker' | 'readInput'>,
): Promise<ChangeRequest> {
  const [named = { kind: 'working_tree' }, another] = changes;
  if (another !== undefined) {
    throw new CollabError('usage', 'the command names two changes', {
      hint: 'use one of: a diff file, a range, --base, --staged, --commit',
    });
  }
  const request = named.kind === 'argument' ? await byArgument(named, place) : named;
  return request.kind === 'file' ? { ...request, text: await readDiff(request, place.cwd) } : request;
}

/** An existing file is a file; only otherwise may `a...b` be a range. */
async function byArgument(
  { words }: Extract<NamedChange, { kind: 'argument' }>,
  { cwd, speaker = owner, readInput = readNothing }: Pick<StartPlace, 'cwd' | 'speaker' | 'readInput'>,
): Promise<ChangeRequest> {
  if (words === '-') return { kind: 'stdin', text: await readInput({ mostBytes: maxDiffBytes, tooLarge }) };
  const path = resolve(cwd, words);
  // Only the owner may learn whether a file exists.
  const isThere = may(speaker, { does: 'name a path' }).allowed && existsSync(path);
  if (!isThere && words.includes('..') && !words.includes('/../') && !words.startsWith('../')) {
    return { kind: 'range', range: words };
  }
  return { kind: 'file', path };
}

function tooLarge(): CollabError {
  return new CollabError('input', 'standard input is larger than 256 MB', {
    hint: 'review the change in parts, for example with --include',
  });
}
