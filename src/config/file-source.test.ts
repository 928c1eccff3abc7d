import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import { filesOnDisk, noFiles } from './file-source.ts';

test('a file is read up to its limit; a larger one is refused by its name', async () => {
  const path = join(scratchFolder(), 'collab.config.yaml');
  writeFileSync(path, 'x'.repeat(2048));
  expect(await filesOnDisk.read(path, 'the settings', 2048)).toBe('x'.repeat(2048));
  await expect(filesOnDisk.read(path, 'the settings', 2047)).rejects.toMatchObject({ code: 'config' });
  await expect(filesOnDisk.read(path, 'the settings', 1024)).rejects.toThrow(
    'the settings is larger than 1 KiB',
  );
});

test('a missing file, also below a file, is none; a folder is refused', async () => {
  const folder = scratchFolder();
  const path = join(folder, 'file');
  writeFileSync(path, '');
  expect(await filesOnDisk.read(join(folder, 'missing'), 'f', 10)).toBeNull();
  expect(await filesOnDisk.read(join(path, 'below'), 'f', 10)).toBeNull();
  await expect(filesOnDisk.read(folder, 'the settings', 10)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('the settings'),
  });
});

test('a link is one, whatever is behind it', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('missing', join(folder, 'link'));
  const isLink = (name: string) => filesOnDisk.isLink(join(folder, name));
  expect([await isLink('link'), await isLink('file'), await isLink('missing')]).toEqual([true, false, false]);
});

test('the names in a folder are listed; a missing folder has none', async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'a'));
  chmodSync(join(folder, 'a'), 0o700);
  expect(await filesOnDisk.list(folder)).toEqual(['a']);
  expect(await filesOnDisk.list(join(folder, 'missing'))).toEqual([]);
});

test('without files, nothing is read', async () => {
  expect([await noFiles.read('/a', 'a', 1), await noFiles.isLink('/a'), await noFiles.list('/')]).toEqual([
    null,
    false,
    [],
  ]);
});
