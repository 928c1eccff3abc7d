import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedFiles, finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { displayWidth } from '../../text/display-width.ts';
import { createDiffContext } from './diff-context.ts';
import { noTokens } from '../../events/tokens.ts';
import { renderMarkdown } from '../markdown/terminal-markdown.ts';
import { renderTerminalReport } from './terminal-report.ts';

const contextOf = createDiffContext(changedFiles);

function golden(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/reports/${name}`, import.meta.url), 'utf8');
}

/** Returns the last block, with the outcome and the next step. */
function lastWords(text: string): readonly string[] {
  return text.trimEnd().split('\n\n').at(-1)?.split('\n') ?? [];
}

describe('the report at a terminal', () => {
  test.each([80, 40])('has all its content in %i columns', (columns) => {
    expect(renderTerminalReport(report(), { columns, contextOf })).toBe(golden(`findings-${columns}.txt`));
  });

  test('X000-12.2 in colour is the same text', () => {
    const colored = renderTerminalReport(report(), { columns: 80, contextOf, color: true });
    expect(colored).toContain('\u001b[31m');
    expect(stripVTControlCharacters(colored)).toBe(golden('findings-80.txt'));
  });

  test('uses only ASCII for our own text on request', () => {
    const text = renderTerminalReport(report({ findings: [] }), { columns: 80, ascii: true });
    // oxlint-disable-next-line no-control-regex
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test('shows only the quotation if the change is not available', () => {
    const [head, quote] = renderTerminalReport(report({ findings: [finding()] }), { columns: 80 }).split(
      '\n',
    );
    expect([head, quote]).toEqual([
      'src/checkout/total.ts:41: critical: Total is rounded before tax [f1]',
      '  > | const total = Math.round(subtotal);',
    ]);
  });

  test('counts reasons if very many files were skipped', () => {
    const files = Array.from({ length: 21 }, (_, index) => ({
      path: `vendor/${index}.js`,
      status: 'skipped' as const,
      reason: 'vendored',
      receipts: [],
    }));
    const coverage = { ...report().coverage, files };
    expect(renderTerminalReport(report({ coverage, findings: [] }), { columns: 80 })).toContain(
      'Skipped:\n  21 files: vendored\n',
    );
  });
});

describe('the last lines', () => {
  const none = { findings: [], strengths: [], suggestions: [] };
  const whole = {
    files_changed: 1,
    lines_changed: 10,
    lines_reviewed: 10,
    lines_scanned: 0,
    files: [{ path: 'a.ts', status: 'reviewed' as const, receipts: [] }],
  };

  test.each([
    [
      'a clean review',
      { ...none, outcome: 'clean', coverage: whole, exit_code: 0 },
      [
        'clean — no findings',
        '  reviewed 1 of 1 changed file, 10 of 10 changed lines (100 %)',
        expect.stringContaining('each reviewed line was in the prompt of an exchange that settled'),
        '  exit 0: passed; nothing at or above critical',
        '  next: nothing to do',
      ],
    ],
    [
      'static checks',
      {
        ...none,
        outcome: 'incomplete',
        reasons: [
          'no_model_reviewer: no model looked',
          'static_checks_only: static checks only, no model looked',
        ],
        assurance: 'static',
        coverage: {
          ...whole,
          lines_reviewed: 0,
          lines_scanned: 10,
          files: [{ path: 'a.ts', status: 'scanned' as const, receipts: [] }],
        },
        exit_code: 3,
      },
      [
        'incomplete — no findings',
        '  no model looked',
        '  scanned by rules only 1 of 1 changed file, 10 of 10 changed lines (100 %)',
        '  static checks only, no model looked',
        '  exit 3: incomplete: this is not a clean result',
        '  next: collab doctor shows what the advisor needs, with commands; --advisor static_review asks for static checks alone',
      ],
    ],
    [
      'nothing reviewable',
      {
        ...none,
        outcome: 'nothing_reviewed',
        reasons: ['nothing_reviewable: nothing reviewable: 1 lock file'],
        assurance: 'none',
        coverage: {
          ...whole,
          lines_reviewed: 0,
          files: [{ path: 'x.lock', status: 'skipped' as const, receipts: [] }],
        },
        exit_code: 0,
      },
      [
        'nothing reviewed — no line was looked at',
        '  nothing reviewable: 1 lock file',
        '  reviewed 0 of 1 changed file, 0 of 10 changed lines (0 %); 1 file skipped',
        '  nothing was looked at',
        '  exit 0: nothing was reviewed, and nothing had to be',
        '  next: --include <glob> includes skipped files',
      ],
    ],
    [
      'a change that made itself unreadable',
      {
        ...none,
        outcome: 'nothing_reviewed',
        reasons: ['file_unreadable: the change makes a.js unreadable'],
        assurance: 'none',
        coverage: {
          files_changed: 1,
          lines_changed: 0,
          lines_reviewed: 0,
          lines_scanned: 0,
          files: [{ path: 'a.js', status: 'failed' as const, receipts: [] }],
        },
        exit_code: 3,
      },
      [
        'nothing reviewed — no line was looked at',
        '  the change makes a.js unreadable',
        '  reviewed 0 of 1 changed file, 0 of 0 changed lines; 1 file not reviewed',
        '  nothing was looked at',
        '  exit 3: nothing was reviewed, and the change itself or --fail-on-empty makes that a failure',
        '  next: make it text again, or exclude it: --exclude <glob>',
      ],
    ],
    [
      'a clean review of a part',
      {
        ...none,
        outcome: 'clean',
        reasons: ['no_findings: every exchange settled, no finding counts'],
        coverage: {
          ...whole,
          files_changed: 4,
          lines_changed: 742_826,
          lines_reviewed: 13,
          files: [
            { path: 'a.ts', status: 'reviewed' as const, receipts: [] },
            { path: 'b.lock', status: 'skipped' as const, skipped_by: 'collab' as const, receipts: [] },
            { path: 'c.ts', status: 'skipped' as const, skipped_by: 'repository' as const, receipts: [] },
            { path: 'd.ts', status: 'skipped' as const, skipped_by: 'user' as const, receipts: [] },
          ],
        },
        exit_code: 0,
      },
      [
        'clean — no findings; 13 of 742,826 changed lines looked at',
        '  every exchange settled, no finding counts',
        '  reviewed 1 of 4 changed files, 13 of 742,826 changed lines (0 %); 3 files skipped (1 left out by the repository, 1 left out on request)',
        expect.stringContaining('each reviewed line was in the prompt of an exchange that settled'),
        '  exit 0: passed; nothing at or above critical',
        '  next: nothing to do',
      ],
    ],
    [
      'a mixed review',
      {
        ...none,
        outcome: 'incomplete',
        reasons: ['protocol_exhausted: no whole answer (chunk-2)'],
        coverage: {
          ...whole,
          files_changed: 3,
          lines_reviewed: 4,
          lines_scanned: 3,
          files: [
            ...whole.files,
            { path: 'b.sql', status: 'scanned' as const, receipts: [] },
            { path: 'c.ts', status: 'failed' as const, receipts: [] },
          ],
        },
        exit_code: 3,
      },
      [
        'incomplete — no findings',
        '  no whole answer (chunk-2)',
        '  reviewed 1 of 3 changed files, 4 of 10 changed lines (40 %); scanned by rules only 1 of 3 changed files, 3 of 10 changed lines (30 %); 1 file not reviewed',
        expect.any(String),
        '  exit 3: incomplete: this is not a clean result',
        '  next: collab show r-20261121-7f3a shows the attempts; then run the same review again',
      ],
    ],
    [
      'findings that do not fail',
      {
        ...none,
        findings: [finding({ severity: 'minor' })],
        coverage: whole,
        fail_on: 'never',
        exit_code: 0,
      },
      [
        'findings — 1 finding: 1 minor',
        '  reviewed 1 of 1 changed file, 10 of 10 changed lines (100 %)',
        expect.any(String),
        '  exit 0: passed; --fail-on never',
        '  next: read the findings above; none of them fails this review',
      ],
    ],
    [
      'a failure',
      {
        ...none,
        outcome: 'failed',
        reasons: ['agent_login: the advisor is not logged in (chunk-1)'],
        coverage: {
          ...whole,
          lines_reviewed: 0,
          files: [{ path: 'a.ts', status: 'failed' as const, receipts: [] }],
        },
        exit_code: 4,
      },
      [
        'failed — no findings',
        '  the advisor is not logged in (chunk-1)',
        '  reviewed 0 of 1 changed file, 0 of 10 changed lines (0 %); 1 file not reviewed',
        '  no line was in the prompt of an exchange that settled',
        '  exit 4: failed: nothing was reviewed',
        '  next: collab doctor shows what the advisor needs, with commands',
      ],
    ],
    [
      'a failure of a run that can go on',
      {
        ...none,
        outcome: 'failed',
        reasons: ['agent_login: the advisor is not logged in (chunk-1)'],
        coverage: {
          ...whole,
          lines_reviewed: 0,
          files: [{ path: 'a.ts', status: 'failed' as const, receipts: [] }],
        },
        exchanges: [{ id: 'ex_chunk-1', tag: '[REQUEST:REVIEW]', attempts: [] }],
        exit_code: 4,
      },
      [
        'failed — no findings',
        '  the advisor is not logged in (chunk-1)',
        expect.any(String),
        expect.any(String),
        expect.any(String),
        `  next: collab doctor shows what the advisor needs, with commands; then continue with collab resume ${report().run_id}`,
      ],
    ],
  ] satisfies readonly [string, Partial<ReviewResult>, readonly unknown[]][])(
    'of %s say the outcome with numbers, its worth and what to do',
    (_, more, lines) => {
      expect(lastWords(renderTerminalReport(report({ ...more }), { columns: 200 }))).toEqual(lines);
    },
  );

  test('of an unfinished run never sound like a result', () => {
    const text = renderTerminalReport(report({ state: 'interrupted', outcome: 'failed', exit_code: 4 }), {
      columns: 200,
    });
    expect(lastWords(text)[0]).toBe(
      'not finished (interrupted) — 3 findings: 1 critical, 1 important, 1 minor; 1 still there so far',
    );
    expect(lastWords(text).at(-1)).toBe('  next: collab resume r-20261121-7f3a continues it');
  });
});

describe('foreign text', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      ':',
      '#',
      '[',
      '\u001b',
      '\u009b',
      '\r',
      '\u202e',
      '\u200b',
      '設',
      '@',
      '\t',
    ),
  });
  const hostile = fc
    .record({ title: nasty, body: nasty, remedy: nasty, path: nasty, quote: nasty })
    .map((texts) => finding(texts));

  test('X000-6.2 moves no cursor, hides nothing and commands no CI runner', () => {
    fc.assert(
      fc.property(hostile, nasty, fc.integer({ min: 30, max: 100 }), (item, other, columns) => {
        const text = renderTerminalReport(
          report({
            findings: [item],
            strengths: [other],
            suggestions: [other],
            reasons: [other],
            coverage: {
              ...report().coverage,
              files: [{ path: other, status: 'skipped', reason: other, receipts: [] }],
            },
          }),
          { columns },
        );
        expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202e\u200b]/u);
        expect(text).not.toMatch(/^\s*::/m);
        expect(text).not.toContain('##[');
        const isWide = (line: string) => displayWidth(line.replace(/^(\s*): :/, '$1::')) > columns;
        expect(text.split('\n').filter(isWide)).toEqual([]);
      }),
    );
  });

  test('commands no CI runner if a line was wrapped in front of it', () => {
    const body = `${'x'.repeat(28)}::error::y`;
    const text = renderTerminalReport(report({ findings: [finding({ body })] }), { columns: 30 });
    expect(text).toContain(`  ${'x'.repeat(28)}\n  : :error::y\n`);
  });

  test('does not reach the margin, which is for our own last lines', () => {
    const text = renderTerminalReport(
      report({ findings: [finding({ body: 'x\n\nclean — no findings', quote: 'y\nclean — no findings' })] }),
      { columns: 80 },
    );
    expect(text).not.toMatch(/^clean/m);
  });
});

test('the usage of the agents is one line of the summary', () => {
  const usage = { ...noTokens, input: 1200, output: 34 };
  const row = { phase: 'review', agent: 'advisor', provider: 'codex', model: null, calls: 2, usage } as const;
  const text = renderTerminalReport(report({ usage_by: [{ ...row, cost_usd: 0.25 }] }), { columns: 80 });
  expect(text).toContain('\n  2 calls: 1,200 tokens in, 34 out; $0.25\n  exit 1: ');
});

describe('what only a terminal shows', () => {
  const look = {
    table: true,
    addressOf: () => 'file:///p/a.ts#41',
    colorsOf: (code: string) => code.split('\n').map((text) => [{ text, styles: ['magenta' as const] }]),
  };

  test('is links, colored code and a table; the text is otherwise the same', () => {
    const shown = renderTerminalReport(report(), { columns: 80, contextOf, color: true, look });
    expect(shown).toContain(
      '\u001b]8;;file:///p/a.ts#41\u001b\\src/checkout/total.ts:41\u001b]8;;\u001b\\: critical',
    );
    expect(shown).toContain('\u001b[35m  const total');
    const text = stripVTControlCharacters(shown);
    const table = `No.  Severity         Place                     Finding
f1   critical         src/checkout/total.ts:41  Total is rounded before tax
f2   important        src/checkout/tax.ts:7-8   税率が固定されている
f3   minor (assumed)  src/checkout/total.ts     The name says nothing
f4   minor            (no place)                Known already

`;
    expect(text).toContain(table);
    expect(text.replace(table, '')).toBe(golden('findings-80.txt'));
  });

  test('is Markdown of the reason, the remedy and the notes, rendered', () => {
    const one = report({
      findings: [finding({ body: 'Use `a` and **b**.', remedy: '- one `c`\n- two' })],
      suggestions: ['Let `d` return.'],
    });
    const rendered = { ...look, renderMarkdown };
    const shown = renderTerminalReport(one, { columns: 80, contextOf, color: true, look: rendered });
    expect(shown).toContain('  Why: Use \u001b[36ma\u001b[39m and \u001b[1mb\u001b[22m.\n');
    expect(stripVTControlCharacters(shown)).toContain('  Fix:\n\n  • one c\n  • two\n');
    expect(stripVTControlCharacters(shown)).toContain('Suggestions:\n  Let d return.\n');
    expect(renderTerminalReport(one, { columns: 80 })).toContain('  Fix: - one `c`\n  - two\n');
  });

  test('has no table of a single finding, and no link over a broken place', () => {
    const one = report({ findings: [finding()] });
    const shown = renderTerminalReport(one, { columns: 20, contextOf, color: true, look });
    expect(shown).not.toContain('\u001b]8;');
    expect(shown).not.toContain('Severity');
  });

  test('a replacement is a diff of the lines that change', () => {
    const replacement = 'const total = Math.round(subtotal + tax);';
    const shown = renderTerminalReport(report({ findings: [finding({ replacement })] }), {
      columns: 80,
      contextOf,
    });
    expect(shown).toContain(
      '  Replacement:\n  -   const total = Math.round(subtotal);\n  + const total = Math.round(subtotal + tax);\n',
    );
  });
});
