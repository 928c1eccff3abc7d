import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { openToRead, readBeginning, readNamedIfThere, readUpTo } from './read.ts';

test('the first bytes of a file are at most the whole file', () => {
  const file = join(scratchFolder(), 'file');
  writeFileSync(file, 'abcdef');
  expect([3, 6, 9].map((bytes) => readBeginning(file, bytes).toString())).toEqual([
    'abc',
    'abcdef',
    'abcdef',
  ]);
  writeFileSync(file, '');
  expect(readBeginning(file, 3)).toHaveLength(0);
});

test('a file is read up to a limit, and closed', () => {
  const file = join(scratchFolder(), 'file');
  writeFileSync(file, 'abcdef');
  const descriptor = openToRead(file);
  expect(readUpTo(descriptor, file, 5)).toBeNull();
  expect(() => closeSync(descriptor)).toThrow('EBADF');
  expect(readUpTo(openToRead(file), file, 6)?.toString()).toBe('abcdef');
});

test('a named file that is missing, or below a file, counts as none', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(['none', 'file/below'].map((name) => readNamedIfThere(join(folder, name)))).toEqual([null, null]);
  expect(readNamedIfThere(join(folder, 'file'))?.toString()).toBe('');
});

describe.skipIf(process.platform === 'win32')('the first bytes of', () => {
  test('a pipe that never ends is read only up to the limit', () => {
    const pipe = join(scratchFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Open for writing too, so that the pipe has no end.
    const descriptor = openSync(pipe, constants.O_RDWR);
    writeSync(descriptor, 'x'.repeat(11));
    expect(readUpTo(descriptor, pipe, 10)).toBeNull();
  });

  test('a pipe or a folder is refused with its name, without waiting', () => {
    const [pipe, folder] = [join(scratchFolder(), 'pipe'), join(scratchFolder(), 'folder')];
    execFileSync('mkfifo', [pipe]);
    mkdirSync(folder);
    expect(() => readBeginning(pipe, 3, 'the file')).toThrow('the file is a pipe, not a file');
    expect(() => readBeginning(folder, 3, 'the file')).toThrow('the file is a folder, not a file');
  });
});
