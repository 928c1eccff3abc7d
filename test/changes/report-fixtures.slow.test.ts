/**
 * Issue "3 of 6", done when 1: each finding and each outcome of real reviews in all six formats. A further diff is
 * handled alone.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { review } from '../../src/index.ts';
import type { ReviewResult } from '../../src/review/outcome/result.ts';
import { expectWhole, reportsOf } from '../fixtures/reports/expect-whole.ts';
import { faultsOf, schemaFormats } from '../fixtures/reports/published-schemas.ts';

const folder = join(import.meta.dirname, '../fixtures/changes');
const changes = [
  join(import.meta.dirname, '../../examples/checkout.diff'),
  ...readdirSync(folder)
    .filter((name) => name.endsWith('.diff'))
    .map((name) => join(folder, name)),
];

test.each(changes.map((path) => [basename(path), path] as const))(
  '%s: its review is valid and whole in each format, however it ends',
  async (_, path) => {
    const found = await reviewByRules(path);
    expect(found.findings.length).toBeGreaterThan(2);
    for (const result of [found, ...otherEndings(found)]) {
      const reports = await reportsOf(result);
      for (const format of schemaFormats)
        expect([format, faultsOf(format, reports[format])]).toEqual([format, []]);
      expectWhole(result, reports);
    }
  },
);

async function reviewByRules(path: string): Promise<ReviewResult> {
  const cwd = mkdtempSync(join(tmpdir(), 'collab-formats-'));
  try {
    const env = { HOME: cwd, PATH: '/usr/bin:/bin' };
    return await review({ cwd, env, change: { kind: 'file', path }, advisor: 'static_review' }).result;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Other endings of the same review: incomplete, failed, still running, and with findings that do not count. */
function otherEndings(found: ReviewResult): readonly ReviewResult[] {
  const { findings, coverage } = found;
  const files = coverage.files.map((file, index) =>
    index === 0 ? { ...file, status: 'failed' as const, reason: 'its exchange did not settle' } : file,
  );
  return [
    { ...found, outcome: 'incomplete', exit_code: 3, coverage: { ...coverage, files } },
    { ...found, outcome: 'failed', exit_code: 4, reasons: ['agent_died: the advisor ended'], findings: [] },
    { ...found, outcome: 'failed', exit_code: 4, state: 'running', ended_at: null, findings: [] },
    { ...found, outcome: 'clean', exit_code: 0, findings: [] },
    {
      ...found,
      findings: findings.map((finding, index) => {
        if (index % 3 === 0) return { ...finding, verdict: 'rejected', evidence: 'const total = 1;' };
        return index % 3 === 1 ? { ...finding, baseline: true } : finding;
      }),
    },
  ];
}
