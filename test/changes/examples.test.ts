import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mergeBlocks } from '../../src/parsers/answers/merge-sections.ts';
import { judgeBlock, readAnswer } from '../../src/parsers/answers/read-answer.ts';
import { readCompletion } from '../../src/parsers/answers/read-completion.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { readScript } from '../../src/providers/rehearsal/read-script.ts';
import { placeIssue } from '../../src/review/findings/anchors.ts';
import { takeCensus } from '../../src/review/census/census.ts';
import { everything } from '../../src/review/census/selection.ts';
import { severities } from '../../src/tags/severities.ts';
import { folderTexts, readFaults, staticFindings, type PlantedFault } from './planted-faults.ts';

const root = resolve(import.meta.dirname, '../..');
const examples = join(root, 'examples');
const heldOut = join(examples, 'held-out');
const variants = readdirSync(heldOut)
  .filter((name) => name.endsWith('.expected.json'))
  .map((name) => join('held-out', name.replace('.expected.json', '')));

test('the example is a complete diff with a lock file, a generated file and faults of all severities', () => {
  const { files, preamble, faults } = parseUnifiedDiff(read('checkout.diff'));
  expect({ preamble, faults }).toEqual({ preamble: [], faults: [] });
  expect(files.length).toBeGreaterThanOrEqual(10);
  const planted = expectedOf('checkout');
  expect(planted.length).toBeGreaterThanOrEqual(8);
  expect([...new Set(planted.map(({ severity }) => severity))].toSorted()).toEqual(
    [...severities].toSorted(),
  );
});

describe.each(['checkout', ...variants])('%s', (name) => {
  test('has a lock file and a generated file, which are skipped', () => {
    const { summary } = takeCensus(parseUnifiedDiff(read(`${name}.diff`)), everything);
    expect(summary).toBe('1 lock file, 1 generated file');
  });

  test('contains faults that the rules find at their places, and nothing else', async () => {
    expect(await findingsIn(`${name}.diff`)).toEqual(expectedOf(name));
  });

  test('has a fixed version in which the rules find nothing', async () => {
    expect(parseUnifiedDiff(read(`${name}.fixed.diff`)).faults).toEqual([]);
    expect(await findingsIn(`${name}.fixed.diff`)).toEqual([]);
  });
});

test('there are at least three held-out variants, with the same faults in other places', () => {
  expect(variants.length).toBeGreaterThanOrEqual(3);
  for (const variant of variants) {
    expect(rulesOf(variant).toSorted()).toEqual(rulesOf('checkout').toSorted());
    expect(placesOf(variant).filter((place) => placesOf('checkout').includes(place))).toEqual([]);
  }
});

test('the script recreates the committed held-out variants', () => {
  const folder = mkdtempSync(join(tmpdir(), 'held-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [join(root, 'scripts/make-held-out.mjs'), folder]);
  expect(folderTexts(folder)).toEqual(folderTexts(heldOut));
});

test('the rules find nothing in the harmless diff', async () => {
  expect(parseUnifiedDiff(read('harmless.diff')).faults).toEqual([]);
  expect(await findingsIn('harmless.diff')).toEqual([]);
});

test('the rehearsed review quotes lines of the example, and omits one section so that it is requested', async () => {
  const { script } = await readScript(join(examples, 'rehearsal.yaml'));
  const [first, second] = script.turns.map(({ answer }) => answer ?? '');
  const reading = readAnswer(first ?? '', '[RESPONSE:REVIEW]');
  if (reading.kind !== 'incomplete') throw new Error(`the first answer is ${reading.kind}`);
  expect(reading.missing).toEqual(['SUGGESTIONS']);
  const completion = readCompletion(second ?? '', '[RESPONSE:REVIEW]', reading.missing);
  const judged = judgeBlock(mergeBlocks(reading.block, completion.sections));
  if (judged.kind !== 'whole') throw new Error(`the merged answer is ${judged.kind}`);
  const { files } = parseUnifiedDiff(read('checkout.diff'));
  const places = (judged.issues ?? []).map((issue) => {
    const { path, side, startLine, placement } = placeIssue(issue, files);
    return { place: `${path}:${startLine} ${side} ${placement}`, claimed: issue.location?.startLine };
  });
  expect(places).toEqual([
    { place: 'src/orders/order-store.ts:14 new exact', claimed: 14 },
    { place: 'src/checkout/refund.ts:26 new exact', claimed: 26 },
    { place: 'db/migrations/0042_cart_cleanup.sql:4 new exact', claimed: 4 },
    { place: 'src/checkout/refund.ts:14 old exact', claimed: 14 },
    { place: 'src/checkout/total.ts:16 new exact', claimed: 16 },
    { place: 'src/checkout/coupon.ts:11 new exact', claimed: 11 },
  ]);
});

function findingsIn(name: string): Promise<readonly PlantedFault[]> {
  return staticFindings(read(name));
}

function expectedOf(name: string): readonly PlantedFault[] {
  return readFaults(read(`${name}.expected.json`));
}

function rulesOf(name: string): readonly string[] {
  return expectedOf(name).map(({ rule, severity }) => `${rule} ${severity}`);
}

function placesOf(name: string): readonly string[] {
  return expectedOf(name).map(({ path, line }) => `${path}:${line}`);
}

function read(name: string): string {
  return readFileSync(join(examples, name), 'utf8');
}
