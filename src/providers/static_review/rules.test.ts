import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { allRules } from './rules/all-rules.ts';
import { scanChange } from './scan-change.ts';
import { newFile } from './change.test-helper.ts';
import { passwordRule, secretRule } from './scan-secrets.ts';

const fixtures = resolve(import.meta.dirname, '../../../test/fixtures/rules');
const rules = [secretRule, passwordRule, ...allRules];

test('rules have unique names, and each has a bad and a good fixture', () => {
  const names = rules.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(readdirSync(fixtures).toSorted()).toEqual(names.toSorted());
  const withoutPair = names.filter(
    (name) => !kindsOf(name).includes('bad') || !kindsOf(name).includes('good'),
  );
  expect(withoutPair).toEqual([]);
});

test('each rule tells what is wrong, why, and how to fix it', () => {
  const silent = rules.flatMap((rule) =>
    ([rule.title, rule.why, rule.fix] as unknown[]).every(
      (said) => typeof said === 'string' && /\S \S/.test(said),
    )
      ? []
      : [rule.name],
  );
  expect(silent).toEqual([]);
});

test('at least twenty rules read the syntax tree', () => {
  const bySyntax = allRules.filter(({ matches }) => matches.some(({ kind }) => kind === 'syntax'));
  expect(bySyntax.length).toBeGreaterThanOrEqual(20);
});

describe.each(rules.map(({ name, severity }) => ({ name, severity })))('$name', ({ name, severity }) => {
  test.each(fixturesOf(name, 'bad'))(
    'reports the faulty lines of %s and no other rule does',
    async (file) => {
      const found = await findingsIn(name, file);
      const expected = faultyLines(name, file).map((line) => ({ name, severity, line }));
      expect(found).toEqual(expected);
      expect(found.length).toBeGreaterThan(0);
    },
  );

  test.each(fixturesOf(name, 'good'))('reports nothing in %s', async (file) => {
    expect(await findingsIn(name, file)).toEqual([]);
  });
});

async function findingsIn(rule: string, file: string) {
  const findings = await scanChange(changeOf(file, read(rule, file)), new AbortController().signal, {
    rules: 'all',
  });
  return findings.map((finding) => ({
    name: finding.rule.name,
    severity: finding.rule.severity,
    line: finding.startLine,
  }));
}

function changeOf(file: string, text: string): readonly DiffFile[] {
  return file.endsWith('.diff')
    ? parseUnifiedDiff(text).files
    : [newFile(`src/sample${extname(file)}`, text)];
}

/** Lines of the file, or for a diff lines of the side that the finding is about, marked FAULT. */
function faultyLines(rule: string, file: string): readonly number[] {
  const text = read(rule, file);
  if (file.endsWith('.diff')) return faultyLinesOfDiff(text);
  return text.split('\n').flatMap((line, index) => (/FAULT/.test(line) ? [index + 1] : []));
}

/** A line that only changed sides has the mark on both; the added one counts. */
function faultyLinesOfDiff(text: string): readonly number[] {
  const marked = parseUnifiedDiff(text)
    .files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines))
    .filter((line) => line.text.includes('FAULT'));
  const added = marked.filter(({ kind }) => kind === 'added');
  return (added.length > 0 ? added : marked).flatMap((line) => line.newLine ?? line.oldLine ?? []);
}

function fixturesOf(rule: string, kind: 'bad' | 'good'): readonly string[] {
  return readdirSync(join(fixtures, rule)).filter((file) => file.startsWith(`${kind}.`));
}

function kindsOf(rule: string): readonly string[] {
  return readdirSync(join(fixtures, rule)).map((file) => file.split('.')[0] ?? '');
}

function read(rule: string, file: string): string {
  return readFileSync(join(fixtures, rule, file), 'utf8');
}
