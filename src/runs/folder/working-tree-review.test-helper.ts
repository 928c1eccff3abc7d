import { systemClock } from '../../system/clock.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import { prepareReview, takeChange } from '../review/prepare.ts';
import { openAgentFolders } from './agent-folders.ts';

/** Reads the change of the working tree like a run with a lead that reads files. */
export async function reviewWorkingTree(root: string, env: Readonly<Record<string, string | undefined>>) {
  const options = reviewOptions({
    cwd: root,
    env,
    change: { kind: 'working_tree' },
    settings: { advisor: 'static_review' },
    lead: { provider: 'claude_code', model: null, chosenBy: 'asked' },
  });
  const prepared = await takeChange(options, { keeps: true });
  const input = await prepareReview(options, prepared);
  const openFolders = (runId: string, runFolder: string) => {
    const files = input.change.files;
    const opening = { runId, runFolder, env, clock: systemClock, input, leadReads: true, files };
    const folders = openAgentFolders(opening);
    /** Returns why there are no files; null if there are. */
    const fill = async () => {
      const remark = await folders.copyFiles(prepared.read.counted.files.map(({ path }) => path));
      await folders.whole();
      return remark;
    };
    return { ...folders, fill };
  };
  return { input, openFolders };
}
