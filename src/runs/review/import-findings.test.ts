import { expect, test } from 'vitest';
import { finding } from '../../../test/fixtures/reports/sample-report.ts';
import type { ToolResult } from '../../parsers/checks/read-sarif.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { dismissalOf, readDismissals, renderDismissal } from '../../review/dismissals/dismissal.ts';
import { sourceOf } from '../../review/findings/rule-issue.ts';
import { importFindings } from './import-findings.ts';

const diff = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,5 @@
 const kept = 1;
+eval(input);
+run(
+  input);
-old();
 done();
diff --git a/lib/src/b.ts b/lib/src/b.ts
--- /dev/null
+++ b/lib/src/b.ts
@@ -0,0 +1 @@
+export {};
`;
const { files } = parseUnifiedDiff(diff);

function result(changes: Partial<ToolResult> = {}): ToolResult {
  return {
    tool: 'eslint',
    rule: 'no-eval',
    level: 'error',
    security: null,
    path: '/build/src/a.ts',
    lines: { start: 2, end: 2 },
    message: 'eval can be harmful. Use a parser.',
    ...changes,
  };
}

function imported(...results: readonly ToolResult[]) {
  return importFindings([{ name: 'lint.sarif', results }], files);
}

test('a result on an added line becomes a finding that names its tool and quotes the line', () => {
  expect(imported(result()).issues).toEqual([
    {
      rule: 'no-eval',
      tool: 'eslint',
      severity: 'important',
      title: 'eval can be harmful',
      why: 'eval can be harmful. Use a parser.',
      fix: '',
      path: 'src/a.ts',
      side: 'new',
      startLine: 2,
      endLine: 2,
      quote: 'eval(input);',
      rejectable: true,
    },
  ]);
});

test.each([
  ['of a package', '@scope/lint', 'no-eval'],
  ['in another script', '検査 lint', '規則/7'],
  ['that begins with a dash', '--lint', 'a'],
  ['of any length', 'l'.repeat(300), 'r'.repeat(300)],
])('the finding of a tool with a name %s can be dismissed', (_what, tool, rule) => {
  const source = imported(result({ tool, rule })).issues.map(sourceOf).at(0);
  const dismissal = dismissalOf({
    finding: finding({ severity: 'important', identity: 'a'.repeat(64), source }),
    at: '2026-11-21T09:30:05.000Z',
    run_id: 'r-1',
    reason: 'as agreed',
  });
  expect(readDismissals(renderDismissal(dismissal))).toEqual({ dismissals: [dismissal], damaged: [] });
  expect(dismissal.source).toBe(source);
});

test('several lines are quoted as far as they were added, a long region by its first line', () => {
  const [three] = imported(result({ lines: { start: 3, end: 9 } })).issues;
  expect(three).toMatchObject({ startLine: 3, endLine: 4, quote: 'run(\n  input);' });
  const [long] = imported(result({ lines: { start: 2, end: 400 } })).issues;
  expect(long).toMatchObject({ startLine: 2, endLine: 2 });
});

test.each([
  ['on an unchanged line', { lines: { start: 1, end: 1 } }],
  ['behind the change', { lines: { start: 5, end: 5 } }],
  ['about another file', { path: 'src/c.ts' }],
  ['whose path only ends alike', { path: 'other-src/a.ts' }],
  ['without a line', { lines: null }],
  ['without a file', { path: null }],
])('a result %s is counted, and is no finding', (_what, changes) => {
  expect(imported(result(changes))).toEqual({
    issues: [],
    notes: ['import from lint.sarif: 0 findings on changed lines, of 1 result'],
  });
});

test.each([
  [{ level: 'error' }, 'important'],
  [{ level: 'warning' }, 'minor'],
  [{ level: 'note' }, 'minor'],
  [{ level: 'note', security: 9.1 }, 'critical'],
  [{ level: 'error', security: 7 }, 'important'],
  [{ level: 'error', security: 0 }, 'minor'],
] as const)('%o has the severity %s', (changes, severity) => {
  expect(imported(result(changes)).issues[0]?.severity).toBe(severity);
});

test('the same result of two reports is one finding', () => {
  const { issues, notes } = importFindings(
    [
      { name: 'one.sarif', results: [result(), result()] },
      { name: 'two.sarif', results: [result()] },
    ],
    files,
  );
  expect(issues).toHaveLength(1);
  expect(notes).toEqual([
    'import from one.sarif: 1 finding on changed lines, of 2 results',
    'import from two.sarif: 1 finding on changed lines, of 1 result',
  ]);
});

test('names are cleaned and cut, and a result without words has a title', () => {
  const [issue] = imported(
    result({ tool: 'li\u001B[31mnt`\n## ISSUES', rule: 'x'.repeat(200), message: ' \n ' }),
  ).issues;
  expect(issue?.tool).toBe('li31mnt ISSUES');
  expect(issue?.rule).toHaveLength(60);
  expect(issue?.title).toBe(issue?.rule);
  expect(imported(result({ tool: '', rule: '', message: '' })).issues[0]).toMatchObject({
    tool: 'a tool without a name',
    title: 'a result without a message',
  });
});

test('a long message is cut in its title, not within a character', () => {
  const [issue] = imported(result({ message: `${'a'.repeat(158)}😀😀` })).issues;
  expect(issue?.title).toBe(`${'a'.repeat(158)}…`);
});

test('more findings than can be checked are refused, not cut', () => {
  const many = Array.from({ length: 1001 }, (_, index) => result({ rule: `r${index}` }));
  expect(() => imported(...many)).toThrow(
    '--import names 1,001 findings on changed lines, at most 1000 are checked',
  );
});
