/** Foreign texts in the comments of a round change nothing but text. */
import { expect, test } from 'vitest';
import { markdownParts } from '../../../test/fixtures/reports/markdown-parts.ts';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { hostileBodies as hostile } from './hostile-bodies.test-helper.ts';
import { renderDismissed } from './command-answers.ts';
import { renderCommentBody } from './comment-body.ts';
import { renderRoundSummary } from './summary-body.ts';

const thread = 'https://github.example/shop/till/pull/7#comment-1';
const replacement = 'const a = "```suggestion";\n```\nend';

const rendered: Readonly<Record<string, (text: string) => string>> = {
  'a comment with a suggestion': (text) =>
    renderCommentBody(sayingAll(text), { number: 1, suggestion: 'suggestion', isAway: false }).text,
  'a comment on a file': (text) =>
    renderCommentBody(sayingAll(text), { number: 1, suggestion: null, isAway: true }).text,
  'a summary': (text) => summaryOf(text),
  'an answer to a command': (text) => renderDismissed({ number: 1, by: text, reason: text }),
};

function sayingAll(text: string) {
  return finding({
    title: text,
    body: text,
    remedy: text,
    path: text,
    quote: text,
    replacement,
    evidence: text,
  });
}

function summaryOf(text: string): string {
  const files = [
    { path: text, status: 'failed' as const, reason: text, receipts: [] },
    { path: `${text}2`, status: 'skipped' as const, reason: text, receipts: [] },
  ];
  return renderRoundSummary(
    {
      result: report({ reasons: [text], coverage: { ...report().coverage, files } }),
      round: 2,
      head: 'abc',
      digest: 'd',
      findings: [
        { finding: sayingAll(text), number: 1, url: thread, state: 'new' },
        {
          finding: sayingAll(text),
          number: 2,
          url: `javascript:${text}`,
          state: 'dismissed',
          dismissal: { by: text, reason: text },
        },
        { finding: sayingAll(text), number: 3, url: null, state: 'summary' },
      ],
      heldBack: [],
      fixed: 1,
      kept: [{ title: text, number: null, url: thread }],
    },
    60_000,
  );
}

test('there are 40 of them', () => {
  expect(new Set(hostile).size).toBe(40);
});

test.each(Object.entries(rendered))(
  '%s has no HTML, link, image, mention, heading or block of theirs',
  (what, render) => {
    for (const text of hostile) {
      const written = render(text);
      const { images, html, links, headings, suggestions, prose } = markdownParts(written);
      expect(images).toEqual([]);
      expect([text, ...html]).toEqual([
        text,
        ...(what === 'a summary' ? ['<details>\n<summary>Proof</summary>', '</details>'] : []),
      ]);
      expect(new Set(links)).toEqual(new Set(what === 'a summary' ? [thread] : []));
      expect([text, headings.filter((level) => level < 3).length]).toEqual([
        text,
        what === 'a summary' ? 2 : 0,
      ]);
      expect([text, ...suggestions]).toEqual([
        text,
        ...(what === 'a comment with a suggestion' ? [`${replacement}\n`] : []),
      ]);
      expect(prose).not.toMatch(/@\w|https?:\/\/|#\d|^\/\w/m);
      expect(written).not.toMatch(/^\s*(?:::|##\[)/m);
      // Marks are read in the first two lines.
      expect(written.split('\n', 2).join('\n')).not.toMatch(/^\s*<!--/m);
    }
  },
);
