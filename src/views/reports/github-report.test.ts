import { expect, test } from 'vitest';
import { sampleResults } from '../../../test/fixtures/reports/sample-results.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderGithubReport } from './github-report.ts';

function linesOf(result: ReviewResult): readonly string[] {
  return renderGithubReport(result).split('\n');
}

test('a finding is an annotation of its lines; characters that would end a value are escaped', () => {
  const item = finding({
    path: 'a,b:c%/d e.ts',
    title: '50 % off: a, b',
    body: 'One\r\nTwo: 100%',
    remedy: 'Fix, it',
    start_line: 40,
  });
  expect(linesOf(report({ findings: [item] }))[0]).toBe(
    '::error file=a%2Cb%3Ac%25/d e.ts,line=40,endLine=41,title=Critical%3A 50 %25 off%3A a%2C b::' +
      'Why: One%0ATwo: 100%25%0AFix: Fix, it',
  );
});

test('severities become kinds, and a finding that does not count is a notice', () => {
  const kinds = linesOf(
    report({
      findings: [
        finding(),
        finding({ severity: 'important' }),
        finding({ severity: 'minor' }),
        finding({ baseline: true }),
      ],
    }),
  ).flatMap((line) => /^::([a-z]+) /.exec(line)?.[1] ?? []);
  expect(kinds).toEqual(['error', 'warning', 'notice', 'notice']);
});

test('the summary ends the log, as text', () => {
  expect(linesOf(sampleResults['clean'] ?? report())).toEqual([
    'collab review: clean — no findings; 412 of 1,204 changed lines looked at',
    '  every exchange settled, no finding counts',
    '  reviewed 2 of 4 changed files, 412 of 1,204 changed lines (34 %); 1 file skipped; 1 file not reviewed',
    expect.stringMatching(/^ {2}each reviewed line was in the prompt/),
    '  exit 0: passed; nothing at or above critical',
    '  next: nothing to do',
    '',
  ]);
});

test('ten of each kind become annotations, the worst first; the outcome is one of the errors', () => {
  const many = sampleResults['fourteen of each grade'] ?? report();
  const lines = linesOf({ ...many, outcome: 'incomplete' });
  const count = (kind: string) => lines.filter((line) => line.startsWith(`::${kind} `)).length;
  expect([count('error'), count('warning'), count('notice')]).toEqual([10, 10, 10]);
  expect(lines[0]).toMatch(/^::error title=Code review%3A incomplete — 42 findings%3A/);
  expect(lines.find((line) => line.startsWith('::group::'))).toBe(
    '::group::collab: 13 more findings without an annotation: GitHub keeps 10 errors, 10 warnings and 10 notices of a step',
  );
  expect(
    lines.filter((line) => /^ {2}src\/checkout\/total\.ts:\d+: (?:Critical|Important|Minor): /.test(line)),
  ).toHaveLength(13);
  expect(lines).toContain('::endgroup::');
  expect(lines).toContain('  src/checkout/total.ts:10: Critical: Number 9');
});

test('ten of a kind leave nothing to list', () => {
  const ten = Array.from({ length: 10 }, () => finding());
  expect(renderGithubReport(report({ findings: ten }))).not.toContain('::group::');
  expect(renderGithubReport(report({ findings: [...ten, finding()] }))).toContain(
    '::group::collab: 1 more finding ',
  );
});

test('a title without details is the message, and a long title is repeated in full there', () => {
  const title = `Long ${'x'.repeat(300)}`;
  expect(linesOf(report({ findings: [finding({ body: '' })] }))[0]).toMatch(
    /title=Critical%3A Total is rounded before tax::Critical: Total is rounded before tax$/,
  );
  const [long = ''] = linesOf(report({ findings: [finding({ title })] }));
  expect(long).toContain(` … (cut)::Critical: ${title}%0AWhy: `);
  expect(/title=(.*?)::/.exec(long)?.[1]?.length).toBeLessThan(255);
});

test('a message is no longer than the runner keeps, and says that it was cut', () => {
  const [line = ''] = linesOf(report({ findings: [finding({ body: 'word '.repeat(2000) })] }));
  expect(line.slice(line.lastIndexOf('::') + 2)).toHaveLength(4096);
  expect(line).toMatch(/ … \(cut\)$/);
});
