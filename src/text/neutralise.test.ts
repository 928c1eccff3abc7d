import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNeutraliser, makeVisible, neutralise, visibleName } from './neutralise.ts';

test.each([
  ['a colour', '\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
  ['a link', '\u001b]8;;https://evil.example\u0007click', '␛]8;;https://evil.example␇click'],
  ['a window title', '\u001b]0;owned\u001b\\', '␛]0;owned␛\\'],
  ['an eight-bit sequence', '\u009b2J\u009d0;x\u009c', '<U+009B>2J<U+009D>0;x<U+009C>'],
  ['a carriage return', 'safe\rEVIL', 'safe␍EVIL'],
  ['a backspace and a delete', 'a\b\u007f', 'a␈␡'],
  ['a bell and a null', '\u0007\0', '␇␀'],
  ['a bidirectional override', 'if (a\u202e)b', 'if (a<U+202E>)b'],
  ['a bidirectional isolate', '\u2066x\u2069', '<U+2066>x<U+2069>'],
  ['a zero-width space', 'pass\u200bword', 'pass<U+200B>word'],
  ['a zero-width joiner between Latin letters', 'pass\u200dword', 'pass<U+200D>word'],
  ['a byte order mark', '\ufeffa', '<U+FEFF>a'],
  ['marks around an annotation', 'a\ufff9b\ufffac\ufffb', 'a<U+FFF9>b<U+FFFA>c<U+FFFB>'],
  ['a line separator', 'a\u2028b', 'a<U+2028>b'],
  ['a tag character', 'a\u{e0041}', 'a<U+E0041>'],
  ['a variation selector after a letter', 'a\ufe00b', 'a<U+FE00>b'],
  ['a row of variation selectors', '✏\ufe0f\ufe01', '✏\ufe0f<U+FE01>'],
  ['a variation selector of the supplement', '字\u{e0101}', '字<U+E0101>'],
  ['a soft hyphen and a Hangul filler', 'a\u00adb\u3164c', 'a<U+00AD>b<U+3164>c'],
  ['half a character', 'a\ud83d', 'a<U+D83D>'],
])('X000-6.2 %s becomes visible', (_, foreign, printed) => {
  expect(neutralise(foreign)).toBe(printed);
});

test.each([
  ['line ends and tabs', 'a\n\tb\n'],
  ['Japanese and Hangul', '設計レビュー 한국어'],
  ['joined and coloured emoji', '👩‍💻 👍🏽 ✏️ ❤️‍🔥'],
  ['joiners of scripts that need them', 'می‌خواهم क्‍ष'],
  ['combining marks', 'e\u0301'],
])('X000-6.2 leaves %s as they are', (_, text) => {
  expect(neutralise(text)).toBe(text);
});

test('in a prompt line endings stay, and every other invisible character becomes visible', () => {
  expect(makeVisible('a\r\nb\rc\u202ed\n')).toBe('a\r\nb␍c<U+202E>d\n');
  expect(makeVisible('👩\u200d\ufe0f')).toBe('👩<U+200D><U+FE0F>');
  expect(visibleName('a\nb\tc\rd\u200b')).toBe('a␊b␉c␍d<U+200B>');
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
      const visible = makeVisible(text);
      expect(visible.replaceAll('\r\n', '\n')).toBe(neutralise(text));
      expect(makeVisible(visible)).toBe(visible);
    }),
  );
});

test('the CR of a line ending is removed', () => {
  expect(neutralise('a\r\nb\r\r\n')).toBe('a\nb␍\n');
});

const nasty = fc.string({
  unit: fc.constantFrom(
    'a',
    '\r',
    '\n',
    '\u001b',
    '[',
    '\u200d',
    '👩',
    '💻',
    '🏽',
    '\ufe0f',
    '\ud83d',
    '\udc69',
    'م',
    '\u202e',
  ),
});

test('the place of a cut does not matter', () => {
  fc.assert(
    fc.property(fc.array(nasty), (pieces) => {
      const neutraliser = createNeutraliser();
      const written = pieces.map((piece) => neutraliser.push(piece)).join('') + neutraliser.end();
      expect(written).toBe(neutralise(pieces.join('')));
    }),
  );
});

test('for any input, the output has no control character except tab and line ending', () => {
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
      expect(neutralise(text)).not.toMatch(/[^\P{Cc}\t\n]|[\p{Cs}\u202a-\u202e\u2066-\u2069\u200b]/u);
    }),
  );
});
