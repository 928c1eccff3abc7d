import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { severities } from '../../src/tags/severities.ts';
import {
  leastUseful,
  readJudgments,
  rulePrecisions,
  usefulShare,
  type RulePrecision,
} from './judged-findings.ts';

const page = resolve(import.meta.dirname, '../../references/rules.md');
const judgments = readJudgments();
const precisions = rulePrecisions(judgments);

test('each place is judged once, for a rule that exists', () => {
  const places = judgments.map(({ rule, place }) => `${rule} ${place}`);
  expect(new Set(places).size).toBe(places.length);
  const names = precisions.map(({ name }) => name);
  expect(judgments.filter(({ rule }) => !names.includes(rule))).toEqual([]);
  expect(judgments.length).toBeGreaterThan(50);
});

describe.each(severities)('of the %s findings of the default set', (severity) => {
  const own = precisions.filter((precision) => precision.isDefault && precision.severity === severity);

  test('enough are useful, in total and for each rule', () => {
    expect(usefulShare(own)).toBeGreaterThanOrEqual(leastUseful[severity]);
    expect(own.filter((precision) => usefulShare([precision]) < leastUseful[severity])).toEqual([]);
  });
});

test('a rule is left out of the default set only if too few of its findings are useful', () => {
  const left = precisions.filter(({ isDefault }) => !isDefault);
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((rule) => usefulShare([rule]) >= leastUseful[rule.severity])).toEqual([]);
});

test('a share counts useful findings, and a rule without findings has no false one', () => {
  const rule = { name: 'a', severity: 'minor', isDefault: true } as const;
  expect(
    usefulShare([
      { ...rule, judged: 3, useful: 1 },
      { ...rule, judged: 1, useful: 1 },
    ]),
  ).toBe(0.5);
  expect(usefulShare([{ ...rule, judged: 0, useful: 0 }])).toBe(1);
});

test('references/rules.md has each rule with its severity, its set and the count of useful findings', () => {
  const text = readFileSync(page, 'utf8');
  const rows = precisions.map(renderRow).join('\n');
  const updated = text.replace(/(\| -{3}[ |-]*\|\n)(?:\|.*\n)*/, (_, head: string) => `${head}${rows}\n`);
  if (process.env['UPDATE_RULES'] === '1') writeFileSync(page, updated);
  expect(readFileSync(page, 'utf8')).toBe(updated);
  expect(updated).toContain('| `eval-call` | critical | default | 3 of 3 |');
});

function renderRow({ name, severity, isDefault, judged, useful }: RulePrecision): string {
  const found = judged === 0 ? 'none found' : `${useful} of ${judged}`;
  return `| \`${name}\` | ${severity} | ${isDefault ? 'default' : 'all'} | ${found} |`;
}
