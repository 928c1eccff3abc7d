import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { changedFiles, finding } from '../../../test/fixtures/reports/sample-report.ts';
import { displayWidth } from '../../text/display-width.ts';
import { createPaint } from '../../text/paint.ts';
import { createDiffContext } from '../../views/reports/diff-context.ts';
import { renderFinding } from '../../views/reports/terminal-finding.ts';
import { renderPage, type FindingPage } from './finding-page.ts';

const style = { columns: 80, paint: createPaint(true), contextOf: createDiffContext(changedFiles) };
const page = { finding: finding(), index: 1, count: 3, scrolled: 0, message: null };

test('the page fills the screen at any size, and no line is wider', () => {
  for (let columns = 20; columns <= 200; columns += 7) {
    for (const rows of [4, 10, 24, 60]) {
      const { lines } = renderPage({ ...page, message: 'this is the last finding' }, style, {
        rows,
        columns,
      });
      expect(lines).toHaveLength(rows);
      const widths = lines.map((line) => displayWidth(stripVTControlCharacters(line)));
      expect([columns, rows, Math.max(...widths) <= columns]).toEqual([columns, rows, true]);
    }
  }
});

test('a message is shown without control characters and secrets', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { lines } = renderPage({ ...page, message: `\u001b[2J ${secret}` }, style, {
    rows: 30,
    columns: 120,
  });
  expect(lines.join('\n')).not.toContain(secret);
  expect(lines.join('\n')).not.toContain('\u001b[2J');
});

test('a finding that is longer than the screen is scrolled to its end and no further', () => {
  const size = { rows: 10, columns: 40 };
  const { mostScrolled } = renderPage(page, style, size);
  expect(mostScrolled).toBeGreaterThan(0);
  const last = renderPage({ ...page, scrolled: mostScrolled }, style, size).lines;
  expect(renderPage({ ...page, scrolled: 999 }, style, size).lines).toEqual(last);
  expect(last.map((line) => stripVTControlCharacters(line)).join('\n')).toMatch(/ invoice\.\n\nn.next/);
});

test('the finding is below its number, and the message and the keys are at the end', () => {
  const columns = 50;
  const plain = { ...style, paint: createPaint(false) };
  const body = renderFinding(page.finding, { ...plain, columns });
  const rows = body.length + 8;
  const foot = [
    'n next · p previous · ↑↓ scroll · o open in editor',
    '· f fix · d dismiss · c copy · q quit',
  ];
  const shown = (more: Partial<FindingPage>) => {
    const { lines, mostScrolled } = renderPage({ ...page, ...more }, plain, { rows, columns });
    return { lines: lines.map((line) => line.replaceAll('\u00a0', ' ')), mostScrolled };
  };
  expect(shown({ message: 'copied' })).toEqual({
    lines: ['Finding 2 of 3', '', ...body, '', '', '', 'copied', ...foot],
    mostScrolled: 0,
  });
  expect(shown({ scrolled: 5 }).lines.slice(0, 3)).toEqual(['Finding 2 of 3', '', body[0]]);
});

test('the number and the keys are bold, what they do is dim, and the message is yellow', () => {
  const { lines } = renderPage({ ...page, message: 'copied' }, style, { rows: 40, columns: 400 });
  const escaped = lines.map((line) => line.replaceAll('\u001b[', '^').replaceAll('\u00a0', '_'));
  expect([escaped[0], ...escaped.slice(-2)]).toEqual([
    '^1mFinding^22m^1m ^22m^1m2^22m^1m ^22m^1mof^22m^1m ^22m^1m3^22m',
    '^33mcopied^39m',
    [
      '^1mn^22m^2m_next^22m',
      '^1mp^22m^2m_previous^22m',
      '^1m↑↓^22m^2m_scroll^22m',
      '^1mo^22m^2m_open_in_editor^22m',
      '^1mf^22m^2m_fix^22m',
      '^1md^22m^2m_dismiss^22m',
      '^1mc^22m^2m_copy^22m',
      '^1mq^22m^2m_quit^22m',
    ].join(' ^2m·_^22m'),
  ]);
});
