import { join } from 'node:path';
import {
  scratchFolder,
  scratchRepository,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { reviewWorkingTree } from './working-tree-review.test-helper.ts';

/** Reads the change of the working tree like a run with this id and a lead that reads files. */
export async function prepare(repository: ScratchRepository, env: Readonly<Record<string, string>>) {
  const { input, openFolders } = await reviewWorkingTree(repository.root, env);
  return { input, begin: (runId: string) => openFolders(runId, join(scratchFolder(), runId)) };
}

export function scratch() {
  const repository = scratchRepository();
  for (let index = 0; index < 120; index += 1) repository.write(`src/${index}.txt`, 'text\n');
  repository.commit('base');
  repository.write('src/1.txt', 'changed\n');
  return { repository, env: { ...repository.env, XDG_STATE_HOME: scratchFolder() } };
}

export const [one, two] = ['20261121-093000-aaaa', '20261121-093001-bbbb'];
