import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveEntry, openManyFiles } from './many-files.ts';

const stamp = { mode: 0o400, modified: 315_532_800 };

function scratch(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'collab-many-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function failing(code: string): never {
  throw Object.assign(new Error(code), { code });
}

function factsIn(path: string) {
  const { mode, mtimeMs, nlink } = statSync(path);
  return { text: readFileSync(path, 'utf8'), mode: (mode & 0o777).toString(8), mtimeMs, nlink };
}

test('a file is written with its mode and time, and gets a second name', () => {
  const folder = scratch();
  const files = openManyFiles();
  files.write(join(folder, 'a/b/one'), Buffer.from('old'), stamp);
  files.write(join(folder, 'a/b/one'), Buffer.from('one'), stamp);
  expect(files.link(join(folder, 'c/two'), join(folder, 'a/b/one'), stamp)).toBe('linked');
  files.release();
  const expected = { text: 'one', mode: '400', mtimeMs: stamp.modified * 1000, nlink: 2 };
  expect(factsIn(join(folder, 'c/two'))).toEqual(expected);
});

test.each(['EXDEV', 'EMLINK', 'EPERM'])('if a second name fails with %s, the file is copied', (code) => {
  const folder = scratch();
  const files = openManyFiles({ linkFile: () => failing(code) });
  files.write(join(folder, 'one'), Buffer.from('one'), stamp);
  expect(files.link(join(folder, 'c/two'), join(folder, 'one'), stamp)).toBe('copied');
  files.release();
  const expected = { text: 'one', mode: '400', mtimeMs: stamp.modified * 1000, nlink: 1 };
  expect(factsIn(join(folder, 'c/two'))).toEqual(expected);
});

test.skipIf(process.platform !== 'linux')('a file on another disk is copied', () => {
  const [folder, other] = [scratch(), scratch('/dev/shm')];
  expect(statSync(folder).dev).not.toBe(statSync(other).dev);
  const files = openManyFiles();
  files.write(join(folder, 'one'), Buffer.from('one'), stamp);
  expect(files.link(join(other, 'two'), join(folder, 'one'), stamp)).toBe('copied');
  files.release();
  expect(factsIn(join(other, 'two'))).toMatchObject({ text: 'one', mode: '400' });
  expect(moveEntry(join(folder, 'one'), join(other, 'three'))).toBe(false);
});

test('more folders than may be open at once can be used', () => {
  const folder = scratch();
  const files = openManyFiles();
  const names = Array.from({ length: 700 }, (_, index) => join(folder, `folder-${index}`, 'file'));
  for (const name of names) files.write(name, Buffer.from(name), stamp);
  for (const name of names) files.link(`${name}-2`, name, stamp);
  files.release();
  expect(names.map((name) => readFileSync(`${name}-2`, 'utf8'))).toEqual(names);
});

test('no link on the way is followed; a missing entry is not an error', () => {
  const [folder, outside] = [scratch(), scratch()];
  symlinkSync(outside, join(folder, 'link'));
  writeFileSync(join(outside, 'kept'), 'kept');
  const files = openManyFiles();
  expect(() => files.write(join(folder, 'link/new'), Buffer.from(''), stamp)).toThrow(
    /link is a link|reached through a link/,
  );
  expect(() => files.remove(join(folder, 'link/kept'))).toThrow(/link is a link|reached through a link/);
  expect(() => moveEntry(join(folder, 'link/kept'), join(folder, 'kept'))).toThrow(
    /link is a link|reached through a link/,
  );
  expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
  files.remove(join(folder, 'missing/file'));
  files.removeEmpty(join(folder, 'missing'));
  expect([files.facts(join(folder, 'missing/file')), files.facts(join(folder, 'none'))]).toEqual([
    null,
    null,
  ]);
  expect(moveEntry(join(folder, 'none'), join(folder, 'other'))).toBe(false);
  files.release();
});
