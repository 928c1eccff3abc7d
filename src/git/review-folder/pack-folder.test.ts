import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  scratchFolder,
  scratchRepository,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { filesIn } from '../store/kept-folder.ts';
import { unpackFolder, withPackedFolder, type PackOptions } from './pack-folder.ts';
import { fillReviewFolder } from './review-folder.ts';

function packOptions({ root, env }: ScratchRepository, changedPaths: readonly string[] = []): PackOptions {
  return { root, env, state: 'working_tree', tree: null, base: scratchFolder(), changedPaths };
}

interface Packed {
  readonly id: string;
  readonly tree: string;
  readonly parts: readonly Uint8Array[];
}

function pack(options: PackOptions): Promise<Packed> {
  return withPackedFolder(options, async ({ id, tree, parts }) => ({
    id,
    tree,
    parts: await listOf(parts()),
  }));
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* inOrder(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

function contentsOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]));
}

test('a machine without the repository fills the review folder with the same files', async () => {
  const repository = scratchRepository();
  repository.write('src/a.ts', 'committed\n');
  repository.write('src/b.ts', 'b\n');
  repository.write('empty', '');
  repository.commit('first');
  repository.write('src/a.ts', 'changed\n');
  repository.write('new ä.bin', '\0\u00ff\n');
  repository.write('.env', 'SECRET=1\n');
  symlinkSync('src/a.ts', join(repository.root, 'link'));
  const here = packOptions(repository, ['src/a.ts']);
  const packed = await pack(here);
  const filled = async (options: Pick<PackOptions, 'root' | 'base'>, tree: string | null) => {
    const into = join(options.base, 'run');
    await (
      await fillReviewFolder({ ...here, ...options, tree, into })
    ).whole;
    return contentsOf(filesIn(into));
  };
  const expected = await filled(here, null);
  rmSync(repository.root, { recursive: true });
  const there = { root: join(scratchFolder(), 'files'), base: scratchFolder() };
  const unpacked = await unpackFolder(inOrder(packed.parts), there);
  const files = await filled({ ...there, root: unpacked.root }, packed.tree);
  expect(files).toEqual(expected);
  expect(Object.keys(files)).toEqual(['empty', 'link', 'new ä.bin', 'src/a.ts', 'src/b.ts']);
  expect(Buffer.concat(packed.parts).includes('SECRET')).toBe(false);
  await unpacked.remove();
  expect(
    readdirSync(join(there.base, 'store')).filter((name) => existsSync(join(there.base, 'store', name))),
  ).toEqual([]);
});

test('the same files have the same id, and other files another one', async () => {
  const repository = scratchRepository();
  repository.write('a', '1');
  repository.commit('first');
  const one = await pack(packOptions(repository));
  expect((await pack(packOptions(repository))).id).toBe(one.id);
  repository.write('a', '2');
  expect((await pack(packOptions(repository))).id).not.toBe(one.id);
});

test.each([
  ['its list', 0, () => Buffer.from('{"tree":"x"}')],
  ['the end of a file', 1, (part: Uint8Array) => part.subarray(0, part.length - 1)],
  ['the length of an id', 1, (part: Uint8Array) => Buffer.concat([Buffer.from([255]), part.subarray(1)])],
])('a part with damage in %s is refused', async (_what, index, damage) => {
  const repository = scratchRepository();
  repository.write('a', 'content');
  repository.commit('first');
  const { parts } = await pack(packOptions(repository));
  const damaged = parts.map((part, position) => (position === index ? damage(part) : part));
  const there = { root: join(scratchFolder(), 'files'), base: scratchFolder() };
  await expect(unpackFolder(inOrder(damaged), there)).rejects.toMatchObject({
    code: 'input',
    message: 'The packed files of the review are damaged',
  });
});
