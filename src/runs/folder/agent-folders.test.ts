import { existsSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import { openAgentFolders } from './agent-folders.ts';
import { prepareReview, takeChange } from '../review/prepare.ts';

test('the review folder is there whole or not at all, so that a killed run does not go on with half of it', async () => {
  const repository = scratchRepository();
  const names = Array.from({ length: 120 }, (_, index) => `file-${index}.txt`);
  for (const name of names) repository.write(name, 'text\n');
  const env = { ...repository.env, XDG_STATE_HOME: scratchFolder() };
  const options = reviewOptions({
    cwd: repository.root,
    env,
    change: { kind: 'working_tree' },
    advisor: 'static_review',
  });
  const prepared = await takeChange(options);
  const input = await prepareReview(options, prepared);
  const folders = openAgentFolders({
    runId: '20261121-093000-aaaa',
    runFolder: scratchFolder(),
    env,
    clock: systemClock,
    input: { advisor: { ...input.advisor, provider: 'codex', assurance: 'model' } },
    files: { root: repository.root, state: 'working_tree' },
  });
  const review = folders.review ?? '';
  const filling = { done: false };
  const filled = folders
    .copyFiles(prepared.read.counted.files.map(({ path }) => path))
    .finally(() => (filling.done = true));
  const sizes = new Set<number>();
  while (!filling.done) {
    if (existsSync(review)) sizes.add(readdirSync(review).length);
    await setImmediate();
  }
  await filled;
  expect([...sizes, readdirSync(review).length].filter((size) => size !== names.length)).toEqual([]);
  expect(readdirSync(folders.state).toSorted()).toEqual(['copied-tree', 'review', 'run']);
});
