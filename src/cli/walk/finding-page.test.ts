import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { changedFiles, finding } from '../../../test/fixtures/reports/sample-report.ts';
import { displayWidth } from '../../text/display-width.ts';
import { createPaint } from '../../text/paint.ts';
import { createDiffContext } from '../../views/reports/diff-context.ts';
import { renderPage } from './finding-page.ts';

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
