import { Parser } from 'commonmark';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportsOf, type CiFormat } from '../../test/fixtures/reports/expect-whole.ts';
import { nasty } from '../../test/fixtures/reports/nasty-text.ts';
import { faultsOf, schemaFormats } from '../../test/fixtures/reports/published-schemas.ts';
import { nodesOf } from '../../test/fixtures/reports/read-reports.ts';
import { finding, report } from '../../test/fixtures/reports/sample-report.ts';
import type { ReviewResult } from '../review/result.ts';

/** A result whose every text somebody else wrote. */
const hostileResult = fc
  .tuple(
    nasty,
    nasty,
    nasty,
    nasty,
    fc.constantFrom('incomplete', 'findings'),
    fc.constantFrom('new', 'old', null),
  )
  .map(([title, body, path, quote, outcome, side]): ReviewResult => {
    const lines = side === null ? { start_line: null, end_line: null } : {};
    const told = { title, body, remedy: body, path: path === '' ? 'a' : path, quote, side, ...lines };
    const suppressed = { reason: title, expires: null, expired: false };
    return report({
      outcome,
      reasons: [`time_spent: ${title}`, body],
      findings: [
        finding(told),
        finding({ ...told, identity: '2', verdict: 'rejected', evidence: title }),
        finding({ ...told, identity: '3', suppressed, severity: 'minor' }),
      ],
      strengths: [body],
      suggestions: [title],
      coverage: {
        ...report().coverage,
        files: [
          { path: told.path, status: 'failed', reason: title, receipts: [] },
          { path: `${told.path}2`, status: 'skipped', reason: body, receipts: [] },
        ],
      },
    });
  });

test('X000-6 in no report does a foreign text act: on a terminal, on a runner, on a page, in a comment', async () => {
  await fc.assert(
    fc.asyncProperty(hostileResult, async (result) => {
      const reports = await reportsOf(result);
      for (const format of schemaFormats)
        expect([format, faultsOf(format, reports[format])]).toEqual([format, []]);
      for (const [format, text] of Object.entries(reports)) expectInertLog(format, text, result);
      expectInertFields(reports);
      expectInertComments(reports.rdjson);
      expect(reports.json).not.toMatch(/<[a-z/!?]/i);
      expect(JSON.parse(reports.json)).toEqual(result);
    }),
  );
});

const actsOnTerminals =
  /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]|\p{Cs}/u;

/** As text in a log: no control sequence, and no command that is not the format's own. */
function expectInertLog(format: string, text: string, { outcome }: ReviewResult): void {
  expect([format, actsOnTerminals.exec(text)]).toEqual([format, null]);
  const commands = text.split('\n').filter((line) => line.trim().startsWith('::'));
  const own = format !== 'github' ? 0 : outcome === 'incomplete' ? 4 : 3;
  expect([format, commands.length]).toEqual([format, own]);
  expect([format, /##\[|##vso\[/i.exec(text)]).toEqual([format, null]);
}

/** As fields that a host may show as text, as Markdown or as HTML: no tag, link, mention or reference. */
function expectInertFields({ sarif, gitlab, github }: Readonly<Record<CiFormat, string>>): void {
  const annotations = github.split('\n').map((line) => line.replace(/^::\w+ file=[^,]*/, ''));
  for (const text of [...textsIn(JSON.parse(sarif)), ...textsIn(JSON.parse(gitlab)), ...annotations])
    expect(text).not.toMatch(acts);
}

const acts =
  /<[a-z/!?]|[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:|@[\p{L}\p{N}_]|\bGH-\d|[#!]\d|\]\(|\]\[|\[x\]:|^\s*\/[a-z]/imu;

/** Fields that hosts read as a place, as code or as a constant of the format. */
const notShown: ReadonlySet<string> = new Set(['$schema', 'uri', 'path', 'snippet', 'fingerprint']);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (notShown.has(key) ? [] : textsIn(part)));
}

/** As comments, which reviewdog posts: the Markdown in them makes nothing that acts. */
function expectInertComments(rdjson: string): void {
  const { diagnostics }: { diagnostics: { message: string; original_output: string }[] } = JSON.parse(rdjson);
  for (const { message, original_output } of diagnostics) {
    const nodes = nodesOf(new Parser().parse(message));
    expect(nodes.filter(({ type }) => foreignKinds.has(type))).toEqual([]);
    const prose = nodes.map((node) => (node.type === 'text' ? (node.literal ?? '') : '\n')).join('');
    expect(prose).not.toMatch(/@\w|https?:\/\/|\bGH-\d|#\d/);
    expect(original_output).not.toMatch(acts);
  }
}

const foreignKinds: ReadonlySet<string> = new Set(['html_block', 'html_inline', 'link', 'image']);
