/** A process lists the numbers of a run, and others take the run, and remove the numbers below theirs, before it takes its own. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type * as Lock from './lock.ts';

const lists = { afterNext: (): void => undefined };

/** The lock in a process whose next list of a folder is old when it is read. */
async function lockWithOldLists(): Promise<Pick<typeof Lock, 'takeLock'>> {
  vi.resetModules();
  vi.doMock(import('node:fs'), async (original) => {
    const fs = await original();
    const readdirSync = (path: string): string[] => {
      const names = fs.readdirSync(path);
      const act = lists.afterNext;
      lists.afterNext = () => undefined;
      act();
      return names;
    };
    return { ...fs, readdirSync: Object.assign(readdirSync, fs.readdirSync) };
  });
  onTestFinished(() => {
    vi.doUnmock('node:fs');
    vi.resetModules();
  });
  return import('./lock.ts');
}

test('a number that is free again does not make a second owner', async () => {
  const run = join(mkdtempSync(join(tmpdir(), 'collab-lock-test-')), 'run');
  onTestFinished(() => rmSync(dirname(run), { recursive: true, force: true }));
  const { takeLock } = await lockWithOldLists();
  const owner = await takeLock(run);
  onTestFinished(() => owner.release());
  const file = (number: number) => join(run, `lock.${number}`);
  renameSync(file(1), file(3));
  await expect(takeLock(run)).rejects.toMatchObject({ code: 'locked' });
  renameSync(file(3), `${file(3)}.hidden`);
  writeFileSync(file(1), JSON.stringify({ socket: join(run, 'dead'), pid: 1 }));
  lists.afterNext = () => {
    rmSync(file(1));
    renameSync(`${file(3)}.hidden`, file(3));
  };
  await expect(takeLock(run)).rejects.toMatchObject({ code: 'locked' });
});
