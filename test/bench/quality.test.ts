/** Checks the list of changes with known faults, and the program that counts findings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  compare,
  scoreChange,
  total,
  type JudgedFinding,
  type KnownFault,
} from '../../bench/quality/score.mjs';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { changedLinesOf, countLines, linesOf, subtractRanges } from '../../src/parsers/diff/ranges.ts';
import { severities } from '../../src/tags/severities.ts';

const folder = join(import.meta.dirname, '../../bench/quality/changes');
const names = readdirSync(folder).flatMap((file) =>
  file.endsWith('.diff') ? [file.replace('.diff', '')] : [],
);

const changeSchema = z.strictObject({
  change: z.string().min(1),
  faults: z.array(
    z.strictObject({
      fault: z.string().min(1),
      path: z.string(),
      start_line: z.int().positive(),
      end_line: z.int().positive(),
      severity: z.array(z.enum(severities)).min(1),
      words: z.array(z.string().regex(/^[^A-Z]+$/)).min(1),
    }),
  ),
});
const readChange = (name: string) =>
  changeSchema.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));

test('there are twenty changes, in several languages, some of them without a fault', () => {
  const changes = names.map(readChange);
  expect(names).toHaveLength(20);
  expect(changes.filter(({ faults }) => faults.length === 0).length).toBeGreaterThanOrEqual(3);
  const paths = changes.flatMap(({ faults }) => faults.map(({ path }) => path.split('.').at(-1)));
  expect(new Set(paths).size).toBeGreaterThanOrEqual(8);
});

test.each(names)('%s: every line of a fault exists, and at least one is new', (name) => {
  const { files } = parseUnifiedDiff(readFileSync(join(folder, `${name}.diff`), 'utf8'));
  const added = changedLinesOf(files).filter(({ side }) => side === 'new');
  for (const { path, start_line: start, end_line: end } of readChange(name).faults) {
    const claimed = [{ path, side: 'new', start, end }] as const;
    expect(countLines(claimed)).toBeGreaterThan(0);
    expect(subtractRanges(claimed, linesOf(files))).toEqual([]);
    expect(countLines(subtractRanges(claimed, added))).toBeLessThan(countLines(claimed));
  }
});

const fault = {
  fault: 'the lock stays held',
  path: 'cache.go',
  start_line: 14,
  end_line: 16,
  severity: ['critical'],
  words: ['lock'],
};
const finding = {
  title: 'The Lock is never released',
  body: '',
  severity: 'critical',
  path: 'cache.go',
  start_line: 15,
  end_line: 15,
  side: 'new',
  verdict: 'unverified',
};

describe('a finding', () => {
  test('on the lines of a fault, with a word for it and a fitting severity, is right in all respects', () => {
    expect(scores({})).toEqual({ found: 1, findings: 1, placed: 1, graded: 1 });
  });

  test('near the lines is found and not placed; with another severity it is not graded', () => {
    expect(scores({ start_line: 19, end_line: 20 })).toEqual({ found: 1, findings: 1, placed: 0, graded: 1 });
    expect(scores({ severity: 'minor' })).toEqual({ found: 1, findings: 1, placed: 1, graded: 0 });
  });

  test('elsewhere, unplaced, about something else or on the old side counts as extra', () => {
    const others = [
      { start_line: 20, end_line: 20 },
      { path: 'other.go' },
      { start_line: null, end_line: null },
      { title: 'A name is unclear' },
      { side: 'old' },
    ];
    for (const other of others)
      expect(scores(other)).toEqual({ found: 0, findings: 1, placed: 0, graded: 0 });
  });

  test('that was rejected counts for nothing', () => {
    expect(scores({ verdict: 'rejected' })).toEqual({ found: 0, findings: 0, placed: 0, graded: 0 });
  });
});

test('one finding matches one fault; the nearest is chosen', () => {
  const far = { ...finding, title: 'lock, far', start_line: 18, end_line: 18 };
  expect(scoreChange([fault, fault], [finding])).toMatchObject({ found: 1, missed: ['the lock stays held'] });
  expect(scoreChange([fault], [far, finding]).besides).toMatchObject([{ title: 'lock, far' }]);
});

test('the sum: unknown costs stay unknown, zero cases give no share, an unfinished review is not quiet', () => {
  expect(
    total([change({}, [finding], [fault]), change({ outcome: 'incomplete', cost_usd: null }, [])]),
  ).toEqual({
    changes: 2,
    reviewed: 1,
    recall: 1,
    precision: 1,
    lines: 1,
    severity: 1,
    quiet: 0,
    tokens: 20,
    cost_usd: null,
  });
  expect(total([change({}, [])])).toMatchObject({ recall: null, precision: null, quiet: 1, cost_usd: 0.5 });
  const before = { changes: [change({}, [], [fault])] };
  const after = { changes: [change({}, [finding, { ...finding, title: 'noise' }], [fault])] };
  expect(compare(before, after)).toEqual([{ name: 'a', won: [fault.fault], lost: [], noise: 1 }]);
  expect(compare(after, before)).toMatchObject([{ won: [], lost: [fault.fault], noise: -1 }]);
});

function scores(changed: Partial<JudgedFinding>) {
  const { found, findings, placed, graded } = scoreChange([fault], [{ ...finding, ...changed }]);
  return { found, findings, placed, graded };
}

function change(more: object, findings: readonly JudgedFinding[], faults: readonly KnownFault[] = []) {
  const score = scoreChange(faults, findings);
  return { name: 'a', outcome: 'clean', tokens: 10, cost_usd: 0.5, ...more, score };
}
