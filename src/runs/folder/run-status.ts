/** How a run stands, for whoever does not drive it. */
import { existsSync } from 'node:fs';
import { CollabError, type ErrorCode } from '../../errors/collab-error.ts';
import type { RunState } from '../../engine/types.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { runState } from '../../engine/drive/other-process.ts';
import { resultState } from './result-file.ts';
import { findOwner } from '../../engine/lock/lock.ts';

/**
 * A run has ended when its result file says so. Its journal may know better or not yet: a run whose end was a refusal (no
 * login, no time left) has no `run.ended`, so that a later start can do better; and a process that died between the last
 * record and the result has left the result to the next one.
 *
 * @param hasEnded the journal is known to have its last record, and is not read for it
 */
export async function standing(runFolder: string, hasEnded = false): Promise<RunState> {
  const state = hasEnded ? 'ended' : await stateInJournal(runFolder);
  if (state === 'running' || state === 'waiting') return state;
  if (state === 'ended' && resultState(runFolder) === 'ended') return 'ended';
  if ((await findOwner(runFolder)) !== null) return 'running';
  return resultState(runFolder) === 'ended' ? 'ended' : 'interrupted';
}

/** Whether `error` says that the files of one run cannot be read. In a list it says so of that run, and hides no other. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CollabError && unreadable.includes(error.code);
}

const unreadable: readonly ErrorCode[] = ['journal_corrupt', 'journal_version', 'result_file'];

async function stateInJournal(runFolder: string): Promise<RunState> {
  return existsSync(journalFile(runFolder)) ? runState(runFolder) : 'interrupted';
}
