/** Done when 3: real commits, kept with what `git diff --numstat -z` says of them, because a clean clone has no history. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseUnifiedDiff } from '../src/parsers/diff/parse-diff.ts';
import { expectWholeChange } from './numstat.ts';

const commitSchema = z.strictObject({
  /** Of dependencies only such as are under MIT. */
  source: z.string(),
  diff: z.string(),
  numstat: z.string(),
});
const file = join(import.meta.dirname, 'fixtures/commits/commits.json.gz');
const commits = z.array(commitSchema).parse(JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')));

test('there are thirty commits or more, of this repository and of dependencies, of many kinds', () => {
  expect(commits.length).toBeGreaterThanOrEqual(30);
  expect(commits.filter(({ source }) => source.startsWith('this repository')).length).toBeGreaterThan(20);
  expect(
    commits.filter(({ source }) => source.endsWith('(MIT), as published on npm')).length,
  ).toBeGreaterThan(2);
  const files = commits.flatMap(({ diff }) => parseUnifiedDiff(diff).files);
  expect([...new Set(files.map(({ change }) => change))].toSorted()).toEqual([
    'added',
    'copied',
    'deleted',
    'modified',
    'renamed',
  ]);
});

test.each(commits.map(({ source }, index) => [source, index] as const))('%s', (_source, index) => {
  const { diff = '', numstat = '' } = commits[index] ?? {};
  expect(numstat).not.toBe('');
  expectWholeChange(diff, numstat);
});
