/** Reviews of a working tree, one after the other: are the files that the agents read those of the diff? */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../../src/engine/lock/lock.ts';
import { parseUnifiedDiff } from '../../../src/parsers/diff/parse-diff.ts';
import { reviewWorkingTree } from '../../../src/runs/folder/working-tree-review.test-helper.ts';

export interface RoundsPlace {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Four letters, different in each process that shares the state folder. */
  readonly mark: string;
}

export interface ReviewedRounds {
  /** Files that differ from those of the diff. */
  readonly differences: readonly string[];
  /** The number of states that the rounds found. */
  readonly states: number;
  /** The number of changes to the file system, if a process counted them. */
  readonly changes?: number;
}

export async function reviewRounds(
  { root, env, mark }: RoundsPlace,
  rounds: number,
): Promise<ReviewedRounds> {
  const base = blobsAt(root);
  const differences: string[] = [];
  const diffs = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const { input, openFolders } = await reviewWorkingTree(root, env);
    diffs.add(input.change.diff);
    const runFolder = mkdtempSync(join(tmpdir(), 'collab-round-'));
    const lock = await takeLock(runFolder);
    try {
      const folders = openFolders(`20261121-${String(round).padStart(6, '0')}-${mark}`, runFolder);
      await folders.fill();
      const expected = new Map(base);
      for (const file of parseUnifiedDiff(input.change.diff).files) {
        expected.delete(file.oldPath ?? file.path);
        if (file.newBlob !== null && !/^0+$/.test(file.newBlob)) expected.set(file.path, file.newBlob);
      }
      const found = blobsIn(folders.review ?? '');
      for (const path of new Set([...expected.keys(), ...found.keys()]))
        if (expected.get(path) !== found.get(path)) differences.push(`round ${round}: ${path}`);
      await folders.remove();
    } finally {
      await lock.release();
      rmSync(runFolder, { recursive: true });
    }
  }
  return { differences, states: diffs.size };
}

/** The files of HEAD. */
function blobsAt(root: string): ReadonlyMap<string, string> {
  const listed = execFileSync('git', ['ls-tree', '-r', '-z', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const lines = listed.split('\0').filter((line) => line !== '');
  return new Map(
    lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(' ')[2]?.slice(0, 40) ?? '']),
  );
}

function blobsIn(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return new Map(files.map((path) => [path, blobOf(readFileSync(join(folder, path)))]));
}

function blobOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
