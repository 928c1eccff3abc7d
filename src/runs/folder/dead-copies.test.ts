import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { openTestJournal, started } from '../../engine/journal/open-journal.test-helper.ts';
import { takeLock } from '../../engine/lock/lock.ts';
import { whileDead } from './dead-copies.ts';

function interruptedRun(): string {
  const runFolder = join(scratchFolder(), 'run-1');
  const journal = openTestJournal(runFolder);
  journal.append([{ body: started, turn: 0 }]);
  journal.close();
  return runFolder;
}

test('no process can continue a run while it is removed', async () => {
  const runFolder = interruptedRun();
  const isDone = await whileDead(runFolder, async () => {
    await expect(takeLock(runFolder)).rejects.toMatchObject({ code: 'locked' });
    rmSync(runFolder, { recursive: true });
  });
  expect([isDone, existsSync(runFolder)]).toEqual([true, false]);
});

test('a run that a process continues is left alone, and one whose folder is gone needs no lock', async () => {
  const runFolder = interruptedRun();
  const lock = await takeLock(runFolder);
  expect(await whileDead(runFolder, () => expect.unreachable())).toBe(false);
  await lock.release();
  const works: string[] = [];
  expect(await whileDead(join(runFolder, 'gone'), () => void works.push('done'))).toBe(true);
  expect(works).toEqual(['done']);
});
