import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPaint } from './paint.ts';
import { lineWidth, paintLine, plain, styled, wrapCode, wrapSpans, type Line } from './spans.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'word', ' ', '  ', '日本', '👍🏽', '-', 'ö'),
  maxLength: 60,
});
const spans = fc.array(
  text.map((said) => styled(said, 'bold')),
  { maxLength: 5 },
);

const plainText = (line: Line) => line.map((span) => span.text).join('');

test('wrapped text is never wider than the columns, and keeps every word in order', () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 2, max: 60 }), (given, columns) => {
      const lines = wrapSpans(given, columns);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.map(plainText).join('').replace(/\s/g, '')).toBe(plainText(given).replace(/\s/g, ''));
    }),
  );
});

test('a word that fits is never broken, even in several styles', () => {
  const word = [plain('un'), styled('break', 'bold'), plain('able')];
  expect(wrapSpans([plain('so '), ...word], 12).map(plainText)).toEqual(['so', 'unbreakable']);
  expect(wrapSpans(word, 5).map(plainText)).toEqual(['unbre', 'akabl', 'e']);
});

test('wrapped code is never wider than the columns, and keeps everything but the white space at its breaks', () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 2, max: 60 }), (given, columns) => {
      const lines = wrapCode(given, columns);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.map(plainText).join('').replace(/\s/g, '')).toBe(plainText(given).replace(/\s/g, ''));
    }),
  );
});

test('code that fits stays as it is; longer code continues indented', () => {
  expect(wrapCode([plain('  a  =  1;')], 10)).toEqual([[plain('  a  =  1;')]]);
  expect(wrapCode([plain('const total  = first + second;')], 20).map(plainText)).toEqual([
    'const total  = first',
    '    + second;',
  ]);
});

test('each painted span closes its styles', () => {
  expect(paintLine([styled('a', 'bold', 'red'), plain('b')], createPaint(true))).toBe(
    '\u001b[1m\u001b[31ma\u001b[39m\u001b[22mb',
  );
  expect(paintLine([styled('a', 'bold'), plain('b')], createPaint(false))).toBe('ab');
});
