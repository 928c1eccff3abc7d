/** The lead's files in the run's state folder: an empty working folder and a file with its instructions. */
import { join } from 'node:path';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';
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
  const folder = join(realPlace(stateFolder), 'claude');
  const empty = join(folder, 'empty');
  makeFolder(empty, { synced: false });
  refuseInsideRepository(empty);
  const instructionsFile = join(folder, 'instructions.md');
  writeAtomically(instructionsFile, instructions, { synced: false });
  return { empty, instructionsFile, answers: join(folder, 'answers') };
}
