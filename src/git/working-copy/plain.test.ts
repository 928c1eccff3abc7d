import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { listPlainFiles } from './plain.ts';

const mebibyte = 1024 * 1024;

test('a folder without git is copied but for its dependencies; a file above 1 MiB is counted and left out', async () => {
  const root = scratchFolder();
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, 'node_modules/any'), { recursive: true });
  writeFileSync(join(root, 'src/a.ts'), 'export const a = 1;\n');
  writeFileSync(join(root, 'node_modules/any/index.js'), '\n');
  writeFileSync(join(root, 'largest.bin'), Buffer.alloc(mebibyte));
  writeFileSync(join(root, 'larger.bin'), Buffer.alloc(mebibyte + 1));
  symlinkSync('src/a.ts', join(root, 'link.ts'));
  const { paths, tooLarge } = await listPlainFiles(root);
  expect(paths.map(String).toSorted()).toEqual(['largest.bin', 'link.ts', 'src/a.ts']);
  expect(tooLarge).toBe(1);
});
