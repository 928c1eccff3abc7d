import { expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderRoundSummary, type RoundSummary, type SummaryFinding } from './summary-body.ts';

const url = 'https://github.example/shop/till/pull/7#comment-1';

function summaryOf(findings: readonly SummaryFinding[], more: Partial<RoundSummary> = {}): RoundSummary {
  const result = report({ findings: findings.map((one) => one.finding) });
  const rest = { heldBack: [], fixed: 0, kept: [] };
  return { result, round: 1, head: 'abc', digest: 'd', findings, ...rest, ...more };
}

/** Returns findings with long titles; the first ones have threads. */
function many(count: number, threads: number): readonly SummaryFinding[] {
  return Array.from({ length: count }, (_, index) => {
    const one = finding({ id: `F${index}`, title: `${index} ${'the price of the user '.repeat(8)}` });
    return index < threads
      ? { finding: one, number: index + 1, url, state: 'new' as const }
      : { finding: one, number: index + 1, url: null, state: 'summary' as const };
  });
}

test.each([60_000, 38_000, 20_000, 4000, 700])(
  'in %i characters: the outcome, as much as fits, and the number of findings that are left out',
  (room) => {
    const kept = Array.from({ length: 30 }, (_, index) => ({ title: `kept ${index}`, number: 900, url }));
    const body = renderRoundSummary(summaryOf(many(300, 60), { kept }), room);
    expect(body.length).toBeLessThanOrEqual(room);
    expect(body).toMatch(/^# Code review: findings/);
    const listed = body.match(/^- F\d+ \*\*/gm)?.length ?? 0;
    const [, left = '', more = ''] =
      /Left out: (?:(\d+) findings \(in their threads\), )?(\d+) findings \(in the JSON report/.exec(body) ??
      [];
    expect(listed + Number(left) + Number(more)).toBe(300);
  },
);

test('what fits is whole', () => {
  const body = renderRoundSummary(summaryOf(many(3, 2)), 10_000);
  expect(body).not.toContain('Shortened');
  expect(body).toContain('## Without a thread');
  expect(body).toContain('<summary>Proof</summary>');
});
