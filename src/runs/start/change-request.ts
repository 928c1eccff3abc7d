/** Decides which change a request names. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { may } from '../../access/permissions.ts';
import { owner } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { maxDiffBytes, type ChangeRequest } from '../../git/change/change-input.ts';
import { readDiff } from '../../git/change/read-diff-text.ts';
import { isLikeRange, readChangeWords } from './change-words.ts';
import { readNothing } from './read-text-input.ts';
import type { StartPlace } from './start-place.ts';
import type { NamedChange, ReviewStart } from './start-request.ts';

export interface SettledChange {
  readonly change: ChangeRequest;
  /** The title and the body of the pull request; null for any other change. */
  readonly pullRequest: string | null;
  /** Remarks for the first line. */
  readonly notes: readonly string[];
}

/**
 * @throws CollabError `usage` if it names two changes at once, or a word that has several readings; `input` if the diff
 *   cannot be read or is too large; `range`; and what a host of pull requests refuses
 */
export async function settleChange(
  { changes }: Pick<ReviewStart, 'changes'>,
  place: StartPlace,
): Promise<SettledChange> {
  const [named = { kind: 'working_tree' }, another] = changes;
  if (another !== undefined) {
    throw new CollabError('usage', 'the command names two changes', {
      hint: 'use one of: a diff file, a range, a pull request, --base, --staged, --commit',
    });
  }
  const settled = named.kind === 'argument' ? await byArgument(named, place) : plainly(named);
  const { change } = settled;
  if (change.kind !== 'file') return settled;
  return { ...settled, change: { ...change, text: await readDiff(change, place.cwd) } };
}

async function byArgument(
  { words }: Extract<NamedChange, { kind: 'argument' }>,
  place: StartPlace,
): Promise<SettledChange> {
  const { readInput = readNothing } = place;
  const named = readChangeWords(words);
  switch (named.kind) {
    case 'stdin':
      return plainly({ kind: 'stdin', text: await readInput({ mostBytes: maxDiffBytes, tooLarge }) });
    case 'pull_request':
      return (await import('./pull-request.ts')).readPullRequest(named.name, place);
    case 'pull_request_here': {
      const { findForgeRepository, readPullRequest } = await import('./pull-request.ts');
      const repository = await findForgeRepository(named.forge, place);
      return readPullRequest({ ...repository, number: named.number }, place);
    }
    case 'branch':
      return plainly(await (await import('./readings.ts')).changeOfBranch(named.name, place));
    case 'commit':
      return plainly({ kind: 'commit', sha: named.name });
    case 'plain':
      return byPlainWords(named.words, place);
  }
}

/** An existing file is a file; only otherwise may `a...b` be a range. */
async function byPlainWords(words: string, place: StartPlace): Promise<SettledChange> {
  const { cwd, speaker = owner } = place;
  const path = resolve(cwd, words);
  // Only the owner may learn whether a file exists.
  const isOwner = may(speaker, { does: 'name a path' }).allowed;
  const isThere = isOwner && existsSync(path);
  if (!isThere && isLikeRange(words)) return plainly({ kind: 'range', range: words });
  const file: ChangeRequest = { kind: 'file', path };
  if (!isOwner || (isThere && isSurelyFile(words))) return plainly(file);
  const { chooseReading } = await import('./readings.ts');
  const reading = await chooseReading(words, isThere && statSync(path).isFile() ? file : null, place);
  if (reading === null) return plainly(file);
  if (reading.kind !== 'pull_request') return plainly(reading);
  return (await import('./pull-request.ts')).readPullRequest(reading.name, place);
}

/** Such names are not used for branches. */
function isSurelyFile(words: string): boolean {
  return /^(?:\.{0,2}[\\/]|[A-Za-z]:)|\.(?:diff|patch|txt)$|\s/.test(words);
}

function plainly(change: ChangeRequest): SettledChange {
  return { change, pullRequest: null, notes: [] };
}

function tooLarge(): CollabError {
  return new CollabError('input', 'standard input is larger than 256 MB', {
    hint: 'review the change in parts, for example with --include',
  });
}
