import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { keepHistoryInGit } from './git-files.ts';

const tracked = '*\n!/.gitattributes\n!/history.jsonl\n';

test('git keeps the history and merges it by lines; the files have the mode of the user’s other files', () => {
  const folder = scratchFolder();
  keepHistoryInGit(folder);
  expect(fileIn(folder, '.gitignore')).toEqual({ text: tracked, mode: 0o666 & ~process.umask() });
  expect(fileIn(folder, '.gitattributes')).toEqual({
    text: 'history.jsonl merge=union\n',
    mode: 0o666 & ~process.umask(),
  });
});

test('the file that collab wrote at first is replaced and keeps its mode', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, '.gitignore'), '*\n');
  chmodSync(join(folder, '.gitignore'), 0o640);
  keepHistoryInGit(folder);
  expect(fileIn(folder, '.gitignore')).toEqual({ text: tracked, mode: 0o640 });
});

test('files of the user stay', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, '.gitignore'), 'cache\n');
  writeFileSync(join(folder, '.gitattributes'), '* text\n');
  keepHistoryInGit(folder);
  expect(fileIn(folder, '.gitignore').text).toBe('cache\n');
  expect(fileIn(folder, '.gitattributes').text).toBe('* text\n');
});

function fileIn(folder: string, name: string) {
  const path = join(folder, name);
  return { text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 };
}
