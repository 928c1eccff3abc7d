import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { takeCensus } from '../../src/review/census/census.ts';
import { everything } from '../../src/review/census/selection.ts';
import { folderTexts, readFaults, staticFindings } from './planted-faults.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'test/fixtures/changes');
const names = ['typescript', 'python', 'go', 'renames', 'large'];

describe.each(names)('the change "%s"', (name) => {
  test('is a complete diff', () => {
    const { preamble, faults } = parseUnifiedDiff(read(`${name}.diff`));
    expect({ preamble, faults }).toEqual({ preamble: [], faults: [] });
  });

  test('contains faults that the rules find at their places, and nothing else', async () => {
    expect(await staticFindings(read(`${name}.diff`))).toEqual(readFaults(read(`${name}.expected.json`)));
  });
});

test('the large change has 3,000 changed lines in 60 files', () => {
  const { filesChanged, linesChanged } = censusOf('large');
  expect({ filesChanged, linesChanged }).toEqual({ filesChanged: 60, linesChanged: 3000 });
});

test('the refactoring renames most of its files, and also copies, deletes and changes modes', () => {
  const kinds = censusOf('renames').files.map(({ file }) => file.change);
  expect(kinds.filter((kind) => kind === 'renamed').length / kinds.length).toBeGreaterThan(0.9);
  expect([...new Set(kinds)].toSorted()).toEqual(['added', 'copied', 'deleted', 'mode_changed', 'renamed']);
});

test('the script recreates the two committed large changes', () => {
  const made = mkdtempSync(join(tmpdir(), 'changes-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(root, 'scripts/make-changes.mjs'), made]);
  expect(folderTexts(folder)).toMatchObject(folderTexts(made));
});

function censusOf(name: string) {
  return takeCensus(parseUnifiedDiff(read(`${name}.diff`)), everything);
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
