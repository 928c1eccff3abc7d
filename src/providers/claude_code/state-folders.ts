/** The lead's files in the run's state folder: an empty working folder and a file with its instructions. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseInsideRepository } from '../program/outside-repositories.ts';

export interface ClaudeStateFolders {
  /** Working folder of the checks and of turns without a folder; always empty. */
  readonly empty: string;
  readonly instructionsFile: string;
  /** Folder of the sessions' last answers. */
  readonly answers: string;
}

/**
 * Creates missing folders and files.
 * @throws CollabError `state_folder` if a parent folder holds `.git`: that repository's set-up would reach the agent.
 */
export function openStateFolders(stateFolder: string, instructions: string): ClaudeStateFolders {
  const folder = join(stateFolder, 'claude');
  const empty = join(folder, 'empty');
  mkdirSync(empty, { recursive: true, mode: 0o700 });
  refuseInsideRepository(realpathSync(empty));
  const instructionsFile = join(folder, 'instructions.md');
  writeFileSync(instructionsFile, instructions, { mode: 0o600 });
  return { empty: realpathSync(empty), instructionsFile, answers: join(folder, 'answers') };
}
