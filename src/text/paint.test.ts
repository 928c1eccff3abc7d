import { expect, test } from 'vitest';
import { createPaint, wantsColor } from './paint.ts';

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['no terminal', {}, {}, false],
  ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
  ['FORCE_COLOR on a pipe', {}, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR and NO_COLOR', {}, { FORCE_COLOR: '', NO_COLOR: '1' }, true],
  ['FORCE_COLOR=0', { isTTY: true }, { FORCE_COLOR: '0' }, false],
])('X000-11.1 colour with %s', (_, stream, env, expected) => {
  expect(wantsColor(stream, env)).toBe(expected);
});

test('X000-11.1 without colour the text is the same and bare', () => {
  expect(createPaint(false).bold('a')).toBe('a');
  expect(createPaint(true).bold('a')).toBe('\u001b[1ma\u001b[22m');
});
