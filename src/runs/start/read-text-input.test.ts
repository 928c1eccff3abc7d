import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { checkSize, readTextInput } from './read-text-input.ts';

const what = 'the brief';
const readInput = () => Promise.resolve(new TextEncoder().encode('piped'));

function folderWith(bytes: string | Uint8Array): string {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'brief.md'), bytes);
  return cwd;
}

test('a file is read up to its limit, and one byte more is refused', async () => {
  const cwd = folderWith('あい');
  expect(await readTextInput({ cwd }, { file: 'brief.md', what, mostBytes: 6 })).toBe('あい');
  const refused = readTextInput({ cwd }, { file: 'brief.md', what, mostBytes: 5 });
  await expect(refused).rejects.toThrow('the brief is larger than 0 KiB');
});

test('standard input is read for a dash, and is empty without one', async () => {
  const input = { file: '-', what, mostBytes: 10 };
  expect(await readTextInput({ cwd: '/', readInput }, input)).toBe('piped');
  expect(await readTextInput({ cwd: '/' }, input)).toBe('');
});

test('a file that is missing and one that is no text are refused with the flag that named them', async () => {
  const input = { file: 'brief.md', what, mostBytes: 10, flag: '--task' };
  const missing = readTextInput({ cwd: scratchFolder() }, input);
  expect(await refusalOf(missing)).toMatchObject({
    code: 'input',
    message: 'the brief cannot be read: brief.md',
    hint: 'name a text file with --task, or - for standard input',
  });
  const binary = readTextInput({ cwd: folderWith(new Uint8Array([0xff, 0xfe])) }, input);
  expect(await refusalOf(binary)).toMatchObject({ code: 'input', message: 'the brief is not UTF-8 text' });
});

test('a text that came with the request has the same limit, in bytes', () => {
  expect(checkSize('あい', { what, mostBytes: 6 })).toBe('あい');
  expect(() => checkSize('あい', { what, mostBytes: 5 })).toThrow('the brief is larger than');
});
