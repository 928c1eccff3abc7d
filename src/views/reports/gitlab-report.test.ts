import { expect, test } from 'vitest';
import { sampleResults } from '../../../test/fixtures/reports/sample-results.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderGitlabReport } from './gitlab-report.ts';

test('a finding is an entry with one line of text, its identity as fingerprint and its first line', () => {
  const item = finding({ body: 'One.\n\nTwo', remedy: 'Round once', start_line: 40 });
  expect(JSON.parse(renderGitlabReport(report({ findings: [item] })))).toEqual([
    {
      description: 'Critical: Total is rounded before tax. Why: One. Two. Fix: Round once.',
      check_name: 'collab/critical',
      fingerprint: '0123456789abcdef',
      severity: 'critical',
      location: { path: 'src/checkout/total.ts', lines: { begin: 40 } },
    },
  ]);
});

test('an incomplete review is the first entry, a blocker unique to the run, at an unreviewed file', () => {
  const [entry] = JSON.parse(renderGitlabReport(sampleResults['incomplete'] ?? report()));
  expect(entry).toEqual({
    description:
      'Code review: incomplete — 3 findings: 1 critical, 1 important, 1 minor; 1 still there. ' +
      'the time was over before a whole answer came (chunk-2). 12 changed lines of src/a.ts were in no exchange that settled. ' +
      'reviewed 2 of 4 changed files, 412 of 1,204 changed lines (34 %); 1 file skipped; 1 file not reviewed. ' +
      'not reviewed: src/legacy/huge.ts. exit 3: incomplete: this is not a clean result. ' +
      'next: collab resume r-20261121-7f3a continues, with the full time limit; or run the same review with a longer --time-limit.',
    check_name: 'collab/incomplete',
    fingerprint: 'collab/incomplete/r-20261121-7f3a',
    severity: 'blocker',
    location: { path: 'src/legacy/huge.ts', lines: { begin: 1 } },
  });
});

test('twenty unreviewed files are named, and the others counted', () => {
  const files = Array.from({ length: 23 }, (_, index) => ({
    path: `f${index}.ts`,
    status: 'failed' as const,
    receipts: [],
  }));
  const { coverage } = report();
  const text = renderGitlabReport(report({ outcome: 'failed', coverage: { ...coverage, files } }));
  expect(text).toContain('not reviewed: f0.ts, f1.ts,');
  expect(text).toContain(', f19.ts, 3 more files.');
});

test('a very long text is cut, and says so', () => {
  const [entry] = JSON.parse(
    renderGitlabReport(report({ findings: [finding({ body: 'word '.repeat(9000) })] })),
  );
  expect(entry.description).toHaveLength(4096);
  expect(entry.description).toMatch(/ … \(cut\)$/);
});

test('a path is exact except for control characters, which no host could show', () => {
  const paths = ['a b/c,d::e%20@x.ts', 'a\u001b[31m\n\tb.ts', ''];
  const text = renderGitlabReport(
    report({ findings: paths.map((path, index) => finding({ path, identity: String(index) })) }),
  );
  const entries: readonly { location: { path: string } }[] = JSON.parse(text);
  expect(entries.map(({ location }) => location.path).toSorted()).toEqual(
    ['a b/c,d::e%20@x.ts', 'a\u241b[31m\u240a\u2409b.ts', '.'].toSorted(),
  );
});
