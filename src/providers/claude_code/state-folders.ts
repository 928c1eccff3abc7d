/** What a run's lead needs below the run's state folder: an empty working folder and the file of its instructions. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseInsideRepository } from '../program/outside-repositories.ts';

export interface StateFolders {
  /** Working folder of turns without a folder, and of the checks; nothing lies in it. */
  readonly empty: string;
  readonly instructionsFile: string;
  /** Last answers of sessions. */
  readonly answers: string;
}

/**
 * Creates what is missing.
 * @throws CollabError `state_folder` when a folder above holds `.git`: that repository's set-up would reach the agent.
 */
export function openStateFolders(stateFolder: string, instructions: string): StateFolders {
  const folder = join(stateFolder, 'claude');
  const empty = join(folder, 'empty');
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  refuseInsideRepository(realpathSync(empty));
  const instructionsFile = join(folder, 'instructions.md');
  writeFileSync(instructionsFile, instructions, { mode: 0o600 });
  return { empty: realpathSync(empty), instructionsFile, answers: join(folder, 'answers') };
}
