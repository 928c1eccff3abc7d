import { readFileSync } from 'node:fs';
import { Parser, type Node } from 'commonmark';
import * as fc from 'fast-check';
import { remark } from 'remark';
import { expect, test } from 'vitest';
import { nasty } from '../../../test/fixtures/reports/nasty-text.ts';
import { nodesOf } from '../../../test/fixtures/reports/read-reports.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderMarkdownReport } from './markdown-report.ts';

test('the review is a document with findings, files and items', () => {
  const golden = readFileSync(new URL('../../../test/fixtures/reports/findings.md', import.meta.url), 'utf8');
  expect(renderMarkdownReport(report())).toBe(golden);
});

test('the written document parses back to the same one', () => {
  const written = renderMarkdownReport(report());
  const again = remark().data('settings', { bullet: '-', rule: '-' }).stringify(remark().parse(written));
  expect(again).toBe(written);
});

test('the usage of the agents is a table', () => {
  const usage = {
    input: 1000,
    output: 50,
    cache_read: 9000,
    cache_write_5m: 0,
    cache_write_1h: 0,
    reasoning: 0,
  };
  const row = {
    phase: 'review',
    agent: 'advisor',
    provider: 'codex',
    model: 'a|b',
    calls: 2,
    usage,
  } as const;
  const written = renderMarkdownReport(report({ usage_by: [{ ...row, cost_usd: null }] }));
  expect(written).toContain(
    [
      '## Usage\n',
      '| phase | agent | model | calls | tokens in | of them cached | tokens out | cost |',
      '| - | - | - | - | - | - | - | - |',
      '| review | advisor, `codex` | `a\\|b` | 2 | 10,000 | 9,000 | 50 | unknown |\n',
    ].join('\n'),
  );
  expect(written).toContain('\n- 2 calls: 10,000 tokens in (9,000 cached), 50 out; cost unknown\n');
});

test.each([
  [
    'HTML',
    '<img src=x onerror=alert(1)> <!-- hidden -->',
    '\\<img src=x onerror=alert(1)> \\<!-- hidden -->',
  ],
  ['a link', '[click](https://evil.example/a)', 'click `https://evil.example/a`'],
  ['a link that says its address', '<https://evil.example>', '`https://evil.example`'],
  ['a bare address', 'see https://evil.example/a now', 'see `https://evil.example/a` now'],
  ['an image', '![pixel](https://evil.example/p.png)', 'pixel `https://evil.example/p.png`'],
  ['a reference', '[click][x]\n\n[x]: https://evil.example', 'click\n\n\\[x]: `https://evil.example`'],
  ['a mention', 'ask @octocat and @org/team', 'ask @\u200boctocat and @\u200borg/team'],
  ['an address of a person', 'a@b.example', 'a@\u200bb.example'],
  ['a reference to an issue', 'fixes #12, GH-3, !4', 'fixes #\u200b12, GH-\u200b3, !\u200b4'],
  ['a quick action', '/close', '/\u200bclose'],
  ['a quick action in capitals', '/CLOSE', '/\u200bCLOSE'],
  ['a command of the job', '::error file=a::b', ': :error file=a::b'],
  ['a heading', '# Code review: clean', '**Code review: clean**'],
  ['a control sequence', '\u001b[31mred', '␛\\[31mred'],
  ['a zero-width space', 'a\u200bb', 'a\\<U+200B>b'],
])('%s in a finding is only text', (_, body, written) => {
  const why = /\*\*Why:\*\* ([^]*?)\n\n## /.exec(
    renderMarkdownReport(report({ findings: [finding({ body })] })),
  )?.[1];
  expect(why).toBe(written);
});

test('code in a finding stays code, without a language that hosts draw or run', () => {
  const body = '```mermaid\nclick A "https://evil.example"\n```\n\n````ts\n```\n::error::x\n```\n````';
  expect(renderMarkdownReport(report({ findings: [finding({ body })] }))).toContain(
    '**Why:**\n\n```\nclick A "https://evil.example"\n```\n\n````ts\n```\n: :error::x\n```\n````\n',
  );
});

test('a very long text is kept as written', () => {
  const body = `${'word '.repeat(8000)}<b>`;
  const written = renderMarkdownReport(report({ findings: [finding({ body })] }));
  expect(written).toContain(`\`\`\`\n${body}\n\`\`\`\n`);
});

const foreignKinds: ReadonlySet<string> = new Set(['html_block', 'html_inline', 'link', 'image']);
test('no foreign text makes HTML, links, images, mentions or commands, or adds or removes a heading', () => {
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, (title, body, path, quote) => {
      const written = renderMarkdownReport(
        report({
          reasons: [title],
          findings: [finding({ title, body, remedy: body, path, quote }), finding({ title: 'Last one' })],
          strengths: [body],
          suggestions: [title],
          coverage: {
            ...report().coverage,
            files: [{ path, status: 'skipped', reason: title, receipts: [] }],
          },
        }),
      );
      const nodes = nodesOf(new Parser().parse(written));
      const active = nodes.filter(({ type }) => foreignKinds.has(type)).map(({ literal }) => literal);
      expect(active).toEqual(['<!-- collab:review -->']);
      expect(written).not.toMatch(/^\s*::/m);
      expect(proseOf(nodes)).not.toMatch(/@\w|https?:\/\//);
      expect(nodes.filter((node) => node.type === 'heading' && node.level < 3)).toHaveLength(
        2 +
          ['Skipped', 'Suggestions', 'Strengths'].filter((name) => written.includes(`\n## ${name}\n`)).length,
      );
      expect(nodes.filter((node) => node.type === 'heading' && node.level === 3)).toHaveLength(2);
    }),
  );
});

test('a title reads back letter by letter, except for commands to a CI runner', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab*_`[]()<>#!&\\|~-+.1'), minLength: 1 }), (title) => {
      const written = renderMarkdownReport(report({ findings: [finding({ title })] }));
      const heading = nodesOf(new Parser().parse(written)).find(
        (node) => node.type === 'heading' && node.level === 3,
      );
      const read = heading === undefined ? '' : proseOf(nodesOf(heading));
      expect(read.replaceAll('\u200b', '').trim()).toBe(`Critical: ${title.replaceAll('##[', '## [')}`);
    }),
  );
});

function proseOf(nodes: readonly Node[]): string {
  return nodes.map((node) => (node.type === 'text' ? (node.literal ?? '') : '\n')).join('');
}

test('the code that the lead rejects with is in its own fence, below its place', () => {
  const code = '  sum += 1; // ``` @everyone <img src=x>\n/approve';
  const evidence = `Whole cents.\nSee total.ts:9 there.\nsrc/total.ts:3-4\n${code}`;
  const rejected = (more: object = {}) =>
    renderMarkdownReport(report({ findings: [finding({ verdict: 'rejected', evidence, ...more })] }));
  expect(rejected()).toContain(
    [
      '**Note:** rejected by the lead, does not count: Whole cents.',
      'See total.ts:9 there.',
      '',
      '**The lead quotes** `src/total.ts:3-4`',
      '',
      '````ts',
      ...code.split('\n'),
      '````',
      '',
    ].join('\n'),
  );
  expect(rejected({ verdict: 'disputed' })).not.toContain('The lead quotes');
  expect(rejected({ evidence: 'Whole cents.\nsrc/total.ts:3-5\none line' })).not.toContain('The lead quotes');
});
