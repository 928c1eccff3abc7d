import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { parseUnifiedDiff } from '../src/parsers/unified-diff.ts';
import { readScript } from '../src/providers/rehearsal/read-script.ts';
import { scanChange } from '../src/providers/static_review/scan-change.ts';
import { severities } from '../src/tags/tags.ts';

const root = resolve(import.meta.dirname, '..');
const examples = join(root, 'examples');
const heldOut = join(examples, 'held-out');
const variants = readdirSync(heldOut)
  .filter((name) => name.endsWith('.expected.json'))
  .map((name) => join('held-out', name.replace('.expected.json', '')));

const expectedSchema = z.array(
  z.strictObject({
    path: z.string(),
    side: z.enum(['new', 'old']),
    line: z.int().positive(),
    severity: z.enum(severities),
    rule: z.string(),
  }),
);
type Expected = z.infer<typeof expectedSchema>;

test('the example is a whole diff with a lock file, a generated file and faults of all severities', () => {
  const { files, preamble, faults } = parseUnifiedDiff(read('checkout.diff'));
  expect({ preamble, faults }).toEqual({ preamble: [], faults: [] });
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['package-lock.json', 'src/generated/shop-api.ts']),
  );
  const planted = expectedOf('checkout');
  expect(planted.length).toBeGreaterThanOrEqual(8);
  expect([...new Set(planted.map(({ severity }) => severity))].toSorted()).toEqual(
    [...severities].toSorted(),
  );
});

describe.each(['checkout', ...variants])('%s', (name) => {
  test('holds faults that the rules find where they are, and nothing else', async () => {
    expect(await findingsIn(`${name}.diff`)).toEqual(expectedOf(name));
  });

  test('has a fixed version in which the rules find nothing', async () => {
    expect(parseUnifiedDiff(read(`${name}.fixed.diff`)).faults).toEqual([]);
    expect(await findingsIn(`${name}.fixed.diff`)).toEqual([]);
  });
});

test('there are three held-out variants or more, with the same faults in other places', () => {
  expect(variants.length).toBeGreaterThanOrEqual(3);
  for (const variant of variants) {
    expect(rulesOf(variant).toSorted()).toEqual(rulesOf('checkout').toSorted());
    expect(placesOf(variant).filter((place) => placesOf('checkout').includes(place))).toEqual([]);
  }
});

test('the script that makes the held-out variants makes the committed ones again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'held-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(root, 'scripts/make-held-out.mjs'), folder]);
  expect(contents(folder)).toEqual(contents(heldOut));
});

test('the rules find nothing in the harmless diff', async () => {
  expect(parseUnifiedDiff(read('harmless.diff')).faults).toEqual([]);
  expect(await findingsIn('harmless.diff')).toEqual([]);
});

test('the rehearsed review quotes lines that are in the example, and leaves one section to be asked for', async () => {
  const { script } = await readScript(join(examples, 'rehearsal.yaml'));
  const [first, second] = script.turns.map(({ answer }) => answer ?? '');
  const rows = read('checkout.diff').split('\n');
  const quotes = [...(first ?? '').matchAll(/^ {3}```\n((?: {3}.*\n)+?) {3}```$/gm)].map(([, quote]) =>
    (quote ?? '').replace(/\n$/, '').slice(3),
  );
  expect(quotes).toHaveLength(6);
  expect(quotes.filter((quote) => !rows.includes(quote) && !rows.includes(`+${quote}`))).toEqual([]);
  expect(headsOf(first)).toEqual(['STRENGTHS', 'ISSUES']);
  expect(headsOf(second)).toEqual(['SUGGESTIONS']);
});

async function findingsIn(name: string): Promise<Expected> {
  const findings = await scanChange(parseUnifiedDiff(read(name)).files, new AbortController().signal);
  return findings
    .map(({ path, side, startLine, rule }) => ({
      path,
      side,
      line: startLine,
      severity: rule.severity,
      rule: rule.name,
    }))
    .toSorted(byPlace);
}

function expectedOf(name: string): Expected {
  return expectedSchema.parse(JSON.parse(read(`${name}.expected.json`))).toSorted(byPlace);
}

function rulesOf(name: string): readonly string[] {
  return expectedOf(name).map(({ rule, severity }) => `${rule} ${severity}`);
}

function placesOf(name: string): readonly string[] {
  return expectedOf(name).map(({ path, line }) => `${path}:${line}`);
}

function byPlace(left: Expected[number], right: Expected[number]): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.line - right.line;
}

function headsOf(answer: string | undefined): readonly string[] {
  return [...(answer ?? '').matchAll(/^## (\w+)$/gm)].map(([, name]) => name ?? '');
}

function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

function read(name: string): string {
  return readFileSync(join(examples, name), 'utf8');
}
