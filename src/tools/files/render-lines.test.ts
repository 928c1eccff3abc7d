import { expect, test } from 'vitest';
import {
  cutLine,
  renderBounded,
  renderLines,
  resultLimitBytes,
  splitLines,
  takeBytes,
} from './render-lines.ts';

const window = { path: 'a.ts', offset: 1, limit: 10 };

test('lines have their numbers; the window may be the whole file', () => {
  expect(renderLines('a\r\nb\n', window)).toEqual({
    content: '1\ta\n2\tb',
    isError: false,
    data: { path: 'a.ts', first_line: 1, last_line: 2, lines: 2 },
  });
});

test.each([
  [1, 2, '1\ta\n2\tb\n(lines 1 to 2 of 3; continue with offset 3)', 2],
  [2, 2, '2\tb\n3\tc', 3],
  [3, 1, '3\tc', 3],
])('from line %i, %i lines: the rest is noted', (offset, limit, content, last) => {
  expect(renderLines('a\nb\nc\n', { ...window, offset, limit })).toEqual({
    content,
    isError: false,
    data: { path: 'a.ts', first_line: offset, last_line: last, lines: 3 },
  });
});

test('an empty file has no lines, and a line beyond the end is refused', () => {
  expect(renderLines('', window)).toEqual({
    content: '(the file is empty)',
    isError: false,
    data: { path: 'a.ts', lines: 0 },
  });
  expect(renderLines('a\n', { ...window, offset: 2 })).toMatchObject({
    isError: true,
    content: expect.stringContaining('a.ts has 1 lines; there is no line 2.'),
  });
});

test('a line of 2,000 characters is whole, a longer one is cut, never within a character', () => {
  expect(cutLine('x'.repeat(2000), 2000)).toBe('x'.repeat(2000));
  expect(cutLine('x'.repeat(2001), 2000)).toBe(`${'x'.repeat(2000)} (cut: the line has 2001 characters)`);
  expect(cutLine(`x${'😀'.repeat(3)}`, 2)).toBe('x (cut: the line has 7 characters)');
  expect(renderLines('x'.repeat(2001), window).content).toContain('(cut: the line has 2001 characters)');
});

test('lines are taken while they fit, with their ends, and the first one in any case', () => {
  expect(takeBytes(['aa', 'bb', 'cc'], 9)).toEqual(['aa', 'bb', 'cc']);
  expect(takeBytes(['aa', 'bb', 'cc'], 8)).toEqual(['aa', 'bb']);
  expect(takeBytes(['aa', 'bb'], 1)).toEqual(['aa']);
});

test('a text that fits is whole; of another one, the lines that fit are shown, and how many are left out', () => {
  expect(renderBounded('a\nb\n', 'ask for less')).toBe('a\nb');
  const lines = Array.from({ length: 66 }, () => 'x'.repeat(999));
  const fitting = Math.floor(resultLimitBytes / 1000);
  expect(renderBounded(lines.join('\n'), 'ask for less')).toBe(
    [...lines.slice(0, fitting), `(cut: ${fitting} of 66 lines; ask for less)`].join('\n'),
  );
});

test('only the last line end is none of its own line', () => {
  expect(splitLines('a\n\n')).toEqual(['a', '']);
  expect(splitLines('a')).toEqual(['a']);
  expect(splitLines('')).toEqual([]);
});
