/** The status of a run, for readers that do not drive it. */
import { existsSync } from 'node:fs';
import { CollabError, type ErrorCode } from '../../errors/collab-error.ts';
import type { RunStatus } from '../../engine/port.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { runState } from '../../engine/drive/other-process.ts';
import { resultState } from './result-file.ts';
import { findOwner } from '../../engine/lock/lock.ts';

/**
 * A run has ended when its result file says so. Its journal can differ: a run that ended with a refusal (no login, no
 * time left) has no `run.ended`, so that a later start can do better; and a process that died between the last record
 * and the result leaves the result to the next process.
 *
 * @param hasEnded the journal is known to contain its last record and is not read
 */
export async function standing(runFolder: string, hasEnded = false): Promise<RunStatus> {
  const state = hasEnded ? 'ended' : await stateInJournal(runFolder);
  if (state === 'running' || state === 'waiting') return state;
  if (state === 'ended' && resultState(runFolder) === 'ended') return 'ended';
  if ((await findOwner(runFolder)) !== null) return 'running';
  return resultState(runFolder) === 'ended' ? 'ended' : 'interrupted';
}

/**
 * Returns true if `error` means that the files of one run are unreadable. A list then reports that run and still shows
 * the others.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CollabError && unreadable.includes(error.code);
}

const unreadable: readonly ErrorCode[] = [
  'journal_corrupt',
  'journal_version',
  'result_file',
  'input',
  'file',
];

async function stateInJournal(runFolder: string): Promise<RunStatus> {
  return existsSync(journalFile(runFolder)) ? runState(runFolder) : 'interrupted';
}
