/** Kill -9 at every file change of filling, relinking, keeping and cleaning: the next run finds all that it needs. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimKept, giveBack, giveBackLeft } from '../../../src/git/store/kept-folder.ts';
import { pruneStore } from '../../../src/git/store/prune.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import { contentsOf, fillWith, manyFiles, openScratchStore, trees } from './trees.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-store-kill-'));
let program = '';
/** All kills on a busy machine. */
const longestMs = 3_600_000;

beforeAll(async () => {
  program = await buildProgram(join(import.meta.dirname, 'store.program.ts'), join(folder, 'program'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function drive(base: string, change: number) {
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, base, String(change)], {
    encoding: 'utf8',
  });
  return { signal, changes: Number(stdout), stderr };
}

test(
  'a process killed at any change leaves a store that the next run can use',
  { timeout: longestMs },
  async () => {
    const whole = drive(mkdtempSync(join(folder, 'base-')), 0);
    expect(whole).toMatchObject({ signal: null, stderr: '' });
    expect(whole.changes).toBeGreaterThan(100);
    for (const change of somePoints(pointsFrom(1, whole.changes), 60)) {
      const base = mkdtempSync(join(folder, 'base-'));
      expect([change, drive(base, change).signal]).toEqual([change, 'SIGKILL']);
      const store = openScratchStore(base);
      for (const name of ['one', 'two']) {
        if (existsSync(join(base, name))) await giveBackLeft(base, join(base, name));
      }
      const found = [];
      for (const tree of [trees.first, trees.second, trees.third, trees.first]) {
        const run = join(base, 'next');
        claimKept(store, run);
        expect([change, await fillWith(store, run, tree)]).toEqual([change, []]);
        found.push(contentsOf(run));
        await giveBack(store, run);
      }
      expect([change, ...found]).toEqual([change, trees.first, trees.second, trees.third, trees.first]);
      await pruneStore(store, Date.now());
      store.close();
      rmSync(base, { recursive: true });
    }
  },
);

test(
  'a process killed while threads fill a folder leaves a store that the next run can use',
  async () => {
    const folders = join(folder, 'programs');
    const [filling, placer] = [
      await buildProgram(join(import.meta.dirname, 'threads.program.ts'), folders),
      await buildProgram(join(import.meta.dirname, 'faulty-placer.program.ts'), folders),
    ];
    const fill = (base: string, run: string) =>
      spawnSync(process.execPath, [filling, base, run, placer], { encoding: 'utf8' });
    const whole = fill(mkdtempSync(join(folder, 'base-')), 'unharmed');
    expect(whole).toMatchObject({ signal: null, stderr: '', stdout: '[]' });
    for (const change of somePoints(pointsFrom(1, 80), 15).map((point) => point * 50)) {
      const base = mkdtempSync(join(folder, 'base-'));
      const killed = `killed-at-${change}`;
      expect([change, fill(base, killed).signal]).toEqual([change, 'SIGKILL']);
      const store = openScratchStore(base);
      await giveBackLeft(base, join(base, killed));
      expect([change, existsSync(join(base, killed))]).toEqual([change, false]);
      const run = join(base, 'next');
      claimKept(store, run);
      expect([change, await fillWith(store, run, manyFiles)]).toEqual([change, []]);
      expect([change, contentsOf(run)]).toEqual([change, manyFiles]);
      store.close();
      rmSync(base, { recursive: true });
    }
  },
  longestMs,
);
