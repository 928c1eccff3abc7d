import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdFolder } from './in-folder.ts';
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
  const names = Array.from({ length: 320 }, (_, index) => join(folder, `folder-${index}`, 'file'));
  for (const name of names) files.write(name, Buffer.from(name), stamp);
  for (const name of names) files.link(`${name}-2`, name, stamp);
  files.release();
  expect(names.map((name) => readFileSync(`${name}-2`, 'utf8'))).toEqual(names);
});

test('a folder that is used again and again is opened once, whatever other folders are used', () => {
  const folder = scratch();
  const opened: string[] = [];
  const openFolder: typeof holdFolder = (path) => {
    opened.push(String(path));
    return holdFolder(path);
  };
  const files = openManyFiles({ openFolder });
  const used = Array.from({ length: 250 }, (_, index) => join(folder, `used-${index}`));
  for (let other = 0; other < 80; other += 1) {
    files.write(join(folder, `other-${other}`, 'file'), Buffer.from(''), stamp);
    for (const each of used.filter((_, index) => other === 0 || index % 10 === other % 10))
      files.write(join(each, String(other)), Buffer.from(''), stamp);
  }
  files.release();
  const counts = used.map((each) => opened.filter((path) => path === each).length);
  // The first attempt finds that the folder is missing.
  expect(new Set(counts)).toEqual(new Set([2]));
});

test.each(['EMFILE', 'ENFILE'])('after %s, the folders that are held are closed for another one', (code) => {
  const folder = scratch();
  let open = 0;
  const openFolder: typeof holdFolder = (path) => {
    if (open >= 3) failing(code);
    const held = holdFolder(path);
    open += 1;
    return {
      ...held,
      close() {
        open -= 1;
        held.close();
      },
    };
  };
  const files = openManyFiles({ openFolder });
  const names = Array.from({ length: 9 }, (_, index) => join(folder, `${index}`, 'file'));
  for (const name of names) files.write(name, Buffer.from(name), stamp);
  for (const [index, name] of names.entries()) files.link(join(folder, `linked-${index}`), name, stamp);
  expect(names.map((name) => files.facts(name)?.nlink)).toEqual(names.map(() => 2));
  for (const name of names) {
    files.remove(name);
    files.removeEmpty(dirname(name));
  }
  files.release();
  expect([readdirSync(folder).length, open]).toEqual([names.length, 0]);
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
