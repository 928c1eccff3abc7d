/** How a run stands, for whoever does not drive it. */
import { existsSync } from 'node:fs';
import type { RunState } from './engine-port.ts';
import { journalFile } from './journal.ts';
import { runState } from './outside.ts';
import { resultState } from './run-result.ts';
import { findOwner } from './run-lock.ts';

/**
 * A run whose end was a refusal (no login, no time left) has no `run.ended`, so that a later start can do better; its result
 * file says that it has ended all the same.
 */
export async function standing(runFolder: string): Promise<RunState> {
  if (!existsSync(journalFile(runFolder)))
    return (await findOwner(runFolder)) === null ? 'interrupted' : 'running';
  const state = await runState(runFolder);
  return state === 'interrupted' && resultState(runFolder) === 'ended' ? 'ended' : state;
}
