import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { readBeginning } from './read.ts';

test('the beginning of a file is at most the whole file', () => {
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

describe.skipIf(process.platform === 'win32')('the beginning of', () => {
  test('a pipe or a folder is refused by name, not waited for', () => {
    const [pipe, folder] = [join(scratchFolder(), 'pipe'), join(scratchFolder(), 'folder')];
    execFileSync('mkfifo', [pipe]);
    mkdirSync(folder);
    expect(() => readBeginning(pipe, 3, 'the file')).toThrow('the file is a pipe, not a file');
    expect(() => readBeginning(folder, 3, 'the file')).toThrow('the file is a folder, not a file');
  });
});
