import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { expectWholeChange, readNumstat } from './numstat.ts';
import { aliasOf, releasedFile, releaseDifferences } from './differences.ts';
import { releasedPackages } from './releases.ts';

const differences = [...releaseDifferences()];
const releases = releasedPackages.flatMap(({ name, license, runs }) =>
  runs.flat().map((version) => ({ name, license, version })),
);

test('there are at least forty differences in at least four languages, each small enough for one review', () => {
  expect(differences.length).toBeGreaterThanOrEqual(40);
  expect(new Set(differences.map(({ language }) => language)).size).toBeGreaterThanOrEqual(4);
  const sizes = differences.map(({ numstat }) =>
    readNumstat(numstat).reduce((total, { added, removed }) => total + (added ?? 0) + (removed ?? 0), 0),
  );
  expect(sizes.filter((size) => size < 20 || size > 3000)).toEqual([]);
});

test('no two differences have the same name or share a changed file', () => {
  const names = differences.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const files = differences.flatMap(({ name, numstat }) =>
    readNumstat(numstat).map(({ to }) => `${name.split(',')[0]}: ${to}`),
  );
  expect(new Set(files).size).toBe(files.length);
});

test('the table of packages, the pinned aliases and the installed licenses agree', () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')));
  expect(dependencies).toEqual(
    Object.fromEntries(
      releases.map(({ name, version }) => [aliasOf(name, version), `npm:${name}@${version}`]),
    ),
  );
  const manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });
  expect(
    releases.map(({ name, version }) =>
      manifest.parse(JSON.parse(releasedFile(name, version, 'package.json'))),
    ),
  ).toEqual(releases);
});

describe.each(differences)('$name', ({ diff, numstat, before, after }) => {
  test('is counted as git counts it, and no line is lost in the chunks', () => {
    expect(numstat).not.toBe('');
    expectWholeChange(diff, numstat);
  });

  test('shows lines that the releases have at those places', () => {
    for (const { path, oldPath, hunks } of parseUnifiedDiff(diff).files) {
      const lines = hunks.flatMap((hunk) => hunk.lines);
      const olds = lines.filter(({ oldLine }) => oldLine !== null);
      const news = lines.filter(({ newLine }) => newLine !== null);
      const oldTexts = before(oldPath ?? path).split('\n');
      const newTexts = after(path).split('\n');
      expect(olds.map(({ text }) => text)).toEqual(olds.map(({ oldLine }) => oldTexts[(oldLine ?? 0) - 1]));
      expect(news.map(({ text }) => text)).toEqual(news.map(({ newLine }) => newTexts[(newLine ?? 0) - 1]));
    }
  });
});

test('the lock file names no download address', () => {
  expect(readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});

test('only folders with sources are compared', () => {
  const missing = releasedPackages.flatMap(({ name, runs, sources }) =>
    sources
      .filter((source) => !source.startsWith(':'))
      .filter((source) =>
        runs
          .flat()
          .every(
            (version) =>
              !readdirSync(join(import.meta.dirname, 'node_modules', aliasOf(name, version))).includes(
                source.split('/')[0] ?? '',
              ),
          ),
      )
      .map((source) => `${name}/${source}`),
  );
  expect(missing).toEqual([]);
});
