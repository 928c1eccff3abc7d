import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { journalEnds } from './first-and-last.ts';
import { journalFile } from './journal.ts';

const long = 'x'.repeat(100_000);
const records = journalRecords([
  { type: 'run.started', name: 'codex', tools: [], cwd: long },
  { type: 'title', title: 'Totals' },
  { type: 'title', title: long },
]);
const lines = records.map((record) => `${JSON.stringify(record)}\n`);
const [first = '', second = '', third = ''] = lines;

test.each([
  ['of one record', [first], 0],
  ['of long records', lines, 2],
  ['whose last record is being written', [first, second, third.slice(0, -9)], 1],
])('a journal %s has its first and its last whole record', (_, texts, last) => {
  expect(endsOf(texts)).toEqual({ first: records[0], last: records[last] });
});

test.each([
  ['that is missing', null],
  ['that is empty', []],
  ['whose first record is being written', [first.slice(0, -9)]],
  ['with an empty line', ['\n']],
  ['whose first line is no record', ['damaged\n', second]],
  ['whose last line is no record', [first, 'damaged\n']],
])('a journal %s has no ends', (_, texts) => {
  expect(endsOf(texts)).toBeNull();
});

function endsOf(texts: readonly string[] | null) {
  const runFolder = scratchFolder();
  if (texts !== null) writeFileSync(journalFile(runFolder), texts.join(''));
  return journalEnds(runFolder);
}
