import { expect, test } from 'vitest';
import { sampleResults } from '../../../test/fixtures/reports/sample-results.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderRdjsonReport } from './rdjson-report.ts';

test('a finding is a diagnostic with its lines and a Markdown message', () => {
  const item = finding({ body: 'One.\n\n- a <b>\n- b', remedy: 'Round once.', start_line: 40 });
  expect(JSON.parse(renderRdjsonReport(report({ findings: [item] })))).toEqual({
    source: { name: 'collab' },
    diagnostics: [
      {
        message:
          '**Critical: Total is rounded before tax**\n\n**Why:** One.\n\n- a \\<b>\n- b\n\n**Fix:** Round once.',
        location: {
          path: 'src/checkout/total.ts',
          range: { start: { line: 40 }, end: { line: 41 } },
        },
        severity: 'ERROR',
        code: { value: 'collab/critical' },
        original_output: 'src/checkout/total.ts:40-41: Critical: Total is rounded before tax',
      },
    ],
  });
});

test('a finding without lines in the new file has its place in the text', () => {
  const text = renderRdjsonReport(report({ findings: [finding({ side: 'old' })] }));
  expect(text).toContain(String.raw`**\n\nAt: ${'`'}src/checkout/total.ts:41${'`'}\n\n**Why:**`);
  expect(text).not.toContain('"range"');
});

test('a failed review is the first diagnostic, an error', () => {
  const { diagnostics } = JSON.parse(renderRdjsonReport(sampleResults['failed'] ?? report()));
  expect(diagnostics).toEqual([
    {
      message:
        '**Code review: failed — no findings**\n\n- the advisor is not logged in\n' +
        '- reviewed 0 of 0 changed files, 0 of 0 changed lines\n- exit 4: failed: nothing was reviewed\n' +
        '- next: collab doctor shows what the advisor needs, with commands',
      location: { path: '.' },
      severity: 'ERROR',
      code: { value: 'collab/failed' },
      original_output: expect.stringMatching(
        /^Code review: failed — no findings\nthe advisor is not logged in\n/,
      ),
    },
  ]);
});

test('a finding that does not count fails no reviewdog job', () => {
  const text = renderRdjsonReport(report({ findings: [finding({ verdict: 'rejected', evidence: 'no' })] }));
  expect(JSON.parse(text)).toMatchObject({
    diagnostics: [{ severity: 'INFO', code: { value: 'collab/critical' } }],
  });
  expect(text).toContain('**Note:** rejected by the lead, does not count: no');
});

test('a message is never longer than a comment may be, and says that it was cut', () => {
  const long = 'word '.repeat(20_000);
  const item = finding({ title: long, body: long, remedy: long, verdict: 'disputed', evidence: long });
  const { diagnostics } = JSON.parse(renderRdjsonReport(report({ findings: [item] })));
  expect(diagnostics[0].message.length).toBeLessThan(65_536);
  expect(diagnostics[0].message.match(/… \(cut\)/g)).toHaveLength(4);
});
