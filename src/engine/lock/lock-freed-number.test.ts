/** A process lists the numbers of a run, and others take the run, or the disk fails, before it takes its own number. */
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type * as Lock from './lock.ts';

const lists = { afterNext: (): void => undefined };
const links: { nextFails: Error | null } = { nextFails: null };

/** The lock in a process whose next list of a folder is old when it is read. */
async function lockWithOldLists(): Promise<Pick<typeof Lock, 'takeLock'>> {
  vi.resetModules();
  vi.doMock(import('node:fs'), async (original) => {
    const fs = await original();
    const listedThen = (path: string): string[] => {
      const names = fs.readdirSync(path);
      const act = lists.afterNext;
      lists.afterNext = () => undefined;
      act();
      return names;
    };
    const linkSync = (...link: Parameters<typeof fs.linkSync>): void => {
      const { nextFails } = links;
      links.nextFails = null;
      if (nextFails !== null) throw nextFails;
      fs.linkSync(...link);
    };
    return { ...fs, linkSync, readdirSync: Object.assign(listedThen, fs.readdirSync) };
  });
  onTestFinished(() => {
    vi.doUnmock('node:fs');
    vi.resetModules();
  });
  return import('./lock.ts');
}

test('of two processes that take the same number, one is the owner', async () => {
  const { takeLock, run, file } = await ownedRun();
  renameSync(file(1), `${file(1)}.hidden`);
  lists.afterNext = () => renameSync(`${file(1)}.hidden`, file(1));
  await expect(takeLock(run)).rejects.toMatchObject({ code: 'locked' });
  expect(readdirSync(run)).toEqual(['lock.1']);
});

test('a disk that refuses the number is an error, and the run stays free', async () => {
  const { takeLock, run, owner } = await ownedRun();
  await owner.release();
  links.nextFails = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  await expect(takeLock(run)).rejects.toMatchObject({
    code: 'file',
    message: expect.stringContaining('the disk is full'),
  });
  const next = await takeLock(run);
  await next.release();
  expect(readdirSync(run).toSorted()).toEqual(['lock.1', 'lock.2']);
});

test('a number that is free again does not make a second owner', async () => {
  const { takeLock, run, file } = await ownedRun();
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

async function ownedRun() {
  const run = join(mkdtempSync(join(tmpdir(), 'collab-lock-test-')), 'run');
  onTestFinished(() => rmSync(dirname(run), { recursive: true, force: true }));
  const { takeLock } = await lockWithOldLists();
  const owner = await takeLock(run);
  onTestFinished(() => owner.release());
  return { takeLock, run, owner, file: (number: number) => join(run, `lock.${number}`) };
}
