import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { refuseInputTwice } from './read-material.ts';
import type { StartPlace } from './start-place.ts';
import { readBrief, readTask } from './read-words.ts';

test('a task is words or a file, and not both', async () => {
  const place = placeWith('from the file');
  expect(await readTask({ kind: 'run', task: 'words' }, place)).toBe('words');
  expect(await readTask({ kind: 'run', task_file: 'text.md' }, place)).toBe('from the file');
  expect(
    await refusalOf(readTask({ kind: 'run', task: 'words', task_file: 'text.md' }, place)),
  ).toMatchObject({
    code: 'usage',
    message: 'the command has two tasks',
    hint: 'use either words or --task-file',
  });
});

test('a brief is words or a file, and not both, of a limited size', async () => {
  const place = placeWith('from the file');
  const consult = { kind: 'consult', phase: 'design' } as const;
  expect(await readBrief({ ...consult, brief: 'words' }, place)).toBe('words');
  expect(await readBrief({ ...consult, file: 'text.md' }, place)).toBe('from the file');
  expect(await refusalOf(readBrief({ ...consult, brief: 'words', file: 'text.md' }, place))).toMatchObject({
    code: 'usage',
    message: 'the brief is given twice',
    hint: 'give it as words or as --file',
  });
  expect(await refusalOf(readBrief({ ...consult, brief: 'x'.repeat(512 * 1024 + 1) }, place))).toMatchObject({
    code: 'input',
    message: 'the brief is larger than 512 KiB',
  });
});

test('standard input is read by one part of a request', () => {
  const diff = { kind: 'argument', words: '-' } as const;
  expect(() =>
    refuseInputTwice({ changes: [diff], pr_text: 'a.md', evidence: ['b'], imports: ['c'] }),
  ).not.toThrow();
  expect(() => refuseInputTwice({ changes: [diff], pr_text: '-', evidence: ['-'], imports: ['-'] })).toThrow(
    'the diff and --pr-text and --evidence and --import cannot all be read from standard input',
  );
});

function placeWith(text: string): StartPlace {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'text.md'), text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the folder is all that is read
  return { cwd } as StartPlace;
}
