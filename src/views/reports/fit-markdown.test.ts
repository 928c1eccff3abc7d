import { expect, test } from 'vitest';
import { readers } from '../../../test/fixtures/reports/read-reports.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderMarkdownReport, renderStepSummary } from './markdown-report.ts';

const paragraph = 'A sentence with words. '.repeat(40);

function withFindings(count: number, more: Partial<ReviewResult> = {}): ReviewResult {
  const findings = Array.from({ length: count }, (_, index) =>
    finding({
      severity: index % 2 === 0 ? 'important' : 'critical',
      title: `Number ${index}`,
      body: paragraph,
      start_line: index + 1,
      end_line: index + 1,
    }),
  );
  return report({ findings, ...more });
}

test('a document that fits is complete', () => {
  const written = renderMarkdownReport(withFindings(40));
  expect(written.length).toBeLessThan(65_536);
  expect(readers.markdown(written).findings).toHaveLength(40);
  expect(written).not.toContain('Shortened');
});

test('a document above a comment’s limit has the worst findings in full, all others on one line, and says what is left out', () => {
  const written = renderMarkdownReport(withFindings(100));
  expect(written.length).toBeLessThanOrEqual(65_000);
  expect(written.length).toBeGreaterThan(63_500);
  expect(written).toMatch(
    /^<!-- collab:review -->\n\n# Code review: findings — 100 findings: 50 critical, 50 important\n/,
  );
  const whole = readers.markdown(written).findings.length;
  const lines = written
    .split('\n')
    .filter((line) =>
      /^- \*\*(?:Critical|Important)\*\* `src\/checkout\/total\.ts:\d+`: Number \d+$/.test(line),
    );
  expect(whole).toBeGreaterThan(50);
  expect(whole + lines.length).toBe(100);
  expect(lines.every((line) => line.startsWith('- **Important**'))).toBe(true);
  expect(written).toContain(
    `**Shortened**, because a text of this kind has a limit: skipped files, suggestions, strengths and usage left out; ${lines.length} findings on one line each. The JSON report has everything.`,
  );
  expect(written).toContain('\n## Further findings\n');
  expect(written).toContain('\n## Not reviewed\n\n- `src/legacy/huge.ts`: its exchange did not settle\n');
});

test('if even one line each does not fit, the number of unlisted findings is given', () => {
  const written = renderMarkdownReport(withFindings(2000));
  expect(written.length).toBeLessThanOrEqual(65_000);
  const listed = written.split('\n').filter((line) => line.startsWith('- **')).length;
  expect(readers.markdown(written).findings).toHaveLength(0);
  expect(listed).toBeGreaterThan(900);
  const rest = (2000 - listed).toLocaleString('en-US');
  expect(written).toContain(
    `; ${listed.toLocaleString('en-US')} findings on one line each; ${rest} findings not listed. `,
  );
});

test('a single finding that is too long becomes a line with its place and its remarks', () => {
  const long = 'x '.repeat(60_000);
  const item = finding({ title: long, body: long, verdict: 'rejected', evidence: long });
  const written = renderMarkdownReport(report({ findings: [item] }));
  expect(written.length).toBeLessThan(4000);
  expect(written).toMatch(
    /\n- \*\*Critical\*\* `src\/checkout\/total\.ts:41`: (?:x )+… \(cut\) \(rejected by the lead, does not count\)\n/,
  );
});

test('many unreviewed files and long reasons leave room for the findings', () => {
  const files = Array.from({ length: 5000 }, (_, index) => ({
    path: `f${index}.ts`,
    status: 'failed' as const,
    reason: 'its exchange did not settle',
    receipts: [],
  }));
  const { coverage } = report();
  const written = renderMarkdownReport(
    withFindings(3, {
      outcome: 'incomplete',
      reasons: [`time_spent: ${paragraph.repeat(9)}`],
      coverage: { ...coverage, files },
    }),
  );
  expect(written.length).toBeLessThan(65_536);
  expect(readers.markdown(written)).toMatchObject({ outcome: 'incomplete', findings: [{}, {}, {}] });
  expect(written).toContain('\n- and 4950 more\n');
  expect(written).toContain(' … (cut)\n');
});

test('a step summary is measured in bytes', () => {
  const wide = withFindings(30, { suggestions: ['設'.repeat(30_000)] });
  const whole = renderStepSummary(wide, { mostBytes: 1024 * 1024 });
  expect(Buffer.byteLength(whole)).toBeGreaterThan(90_000);
  const shortened = renderStepSummary(wide, { mostBytes: 90_000 });
  expect(Buffer.byteLength(shortened)).toBeLessThanOrEqual(90_000);
  expect(shortened).toContain('**Shortened**');
});
