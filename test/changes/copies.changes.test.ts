import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');
const installed = ['node_modules', 'test/changes/node_modules', 'test/agents/node_modules']
  .map((folder) => join(repository, folder))
  .filter((folder) => existsSync(folder));

/** Files as short as this are equal by chance: an empty object, one line of configuration. */
const shortestCopy = 100;

test('no file of the repository is a copy of a file of an installed package', () => {
  const own = new Map<number, string[]>();
  for (const path of trackedFiles()) {
    const { size } = statSync(join(repository, path));
    if (size >= shortestCopy) own.set(size, [...(own.get(size) ?? []), path]);
  }
  const copies = installed.flatMap(filesIn).flatMap((path) => {
    const candidates = own.get(statSync(path).size) ?? [];
    return candidates
      .filter((candidate) => readFileSync(join(repository, candidate)).equals(readFileSync(path)))
      .map((candidate) => `${candidate} is ${path}`);
  });
  expect(installed.length).toBeGreaterThanOrEqual(2);
  expect(copies).toEqual([]);
});

function trackedFiles(): readonly string[] {
  return execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repository, path)));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
