/** CHANGELOG's newest release, and the versions of files that it names for people who upgrade. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { migrations } from '../../src/engine/postgres/migrations.ts';
import { eventVersion } from '../../src/events/collab-event.ts';
import { version } from '../../src/version.ts';
import { renderSarifReport } from '../../src/views/reports/sarif-report.ts';
import { report } from '../fixtures/reports/sample-report.ts';

const repository = join(import.meta.dirname, '../..');
const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8');

/** Formats of records that no user handles: parts of a run or a session, the index of runs, a signature. */
const ownFormats = [
  'collab.copy',
  'collab.edits',
  'collab.model-session',
  'collab.round',
  'collab.runs',
  'collab.server',
  'collab.turn',
];

test('the newest release is the version of the package, with its day', () => {
  const releases = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - (.+)$/gm)];
  expect(releases[0]?.slice(1)).toEqual([version, expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)]);
});

test('the table of files names each format with the version that the source writes', () => {
  const named = rows().flatMap(([, written = '']) => formatsIn(written));
  const outside = formatsOfSource().filter(([name]) => !ownFormats.includes(name));
  expect(newestOf(named)).toEqual(newestOf(outside));
});

test('every format of our own files is one that the source writes', () => {
  const known = formatsOfSource().map(([name]) => name);
  expect(ownFormats.filter((name) => !known.includes(name))).toEqual([]);
});

test('the table of files names the versions of the journal, of SARIF and of the tables', () => {
  const written = new Map(rows().map(([file = '', cell = '']) => [file.replace(/ \(.*/, ''), cell]));
  const sarif = z.object({ version: z.string() }).parse(JSON.parse(renderSarifReport(report())));
  expect(written.get('`journal.jsonl`')).toBe(`\`"v": ${eventVersion}\``);
  expect(written.has(`SARIF ${sarif.version}`)).toBe(true);
  expect(written.get('tables in PostgreSQL')).toBe(String(migrations.length));
});

/** The cells of the table of files, row by row. */
function rows(): readonly (readonly string[])[] {
  const [, table = ''] = /^\| file \| version written \|.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(changelog) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | '));
}

type Format = readonly [name: string, version: number];

function formatsOfSource(): readonly Format[] {
  const sources = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' });
  return sources
    .filter((path) => path.endsWith('.ts') && !/\.test(-helper)?\.ts$/.test(path))
    .flatMap((path) => formatsIn(readFileSync(join(repository, 'src', path), 'utf8')));
}

/** Names such as `collab.review/v1`, and their numbers. */
function formatsIn(text: string): readonly Format[] {
  return [...text.matchAll(/\b(collab(?:\.[a-z-]+|Identity))\/v(\d+)\b/g)].map(
    ([, name = '', number]) => [name, Number(number)] as const,
  );
}

function newestOf(formats: readonly Format[]): Readonly<Record<string, number>> {
  return Object.fromEntries(formats.toSorted(([, left], [, right]) => left - right));
}
