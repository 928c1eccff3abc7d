import { join } from 'node:path';
import {
  scratchFolder,
  scratchRepository,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import { prepareReview, takeChange } from '../review/prepare.ts';
import { openAgentFolders } from './agent-folders.ts';

/** Reads the change of the working tree like a run with this id and a lead that reads files. */
export async function prepare(repository: ScratchRepository, env: Readonly<Record<string, string>>) {
  const options = reviewOptions({
    cwd: repository.root,
    env,
    change: { kind: 'working_tree' },
    settings: { advisor: 'static_review' },
    lead: { provider: 'claude_code', model: null, chosenBy: 'asked' },
  });
  const prepared = await takeChange(options, { keeps: true });
  const input = await prepareReview(options, prepared);
  const begin = (runId: string) => {
    const folders = openAgentFolders({
      runId,
      runFolder: join(scratchFolder(), runId),
      env,
      clock: systemClock,
      input,
      leadReads: true,
      files: input.change.files,
    });
    const fill = async () => {
      const remark = await folders.copyFiles(prepared.read.counted.files.map(({ path }) => path));
      await folders.whole();
      return remark;
    };
    return { ...folders, fill };
  };
  return { input, begin };
}

export function scratch() {
  const repository = scratchRepository();
  for (let index = 0; index < 120; index += 1) repository.write(`src/${index}.txt`, 'text\n');
  repository.commit('base');
  repository.write('src/1.txt', 'changed\n');
  return { repository, env: { ...repository.env, XDG_STATE_HOME: scratchFolder() } };
}

export const [one, two] = ['20261121-093000-aaaa', '20261121-093001-bbbb'];
