import { expect, test } from 'vitest';
import { createPasteFilter, foldPaste, unfoldPaste } from './paste.ts';

const pasted = '\u001b[200~one\r\n\ttwo\rthree\u0003\u001b[201~';

test('pasted text becomes one line with marks, wherever its bytes are cut', () => {
  const typed = `a${pasted}b\r`;
  const whole = createPasteFilter().push(typed);
  expect(whole).toBe('aone⏎⇥two⏎threeb\r');
  // An escape by itself is a key and is not kept back, so no cut falls within the first two characters of a mark.
  const cuts = Array.from(typed, (_, at) => at).filter(
    (at) => !['\u001b', '\u001b['].some((key) => typed.slice(0, at).endsWith(key)),
  );
  const joined = cuts.map((at) => {
    const filter = createPasteFilter();
    return filter.push(typed.slice(0, at)) + filter.push(typed.slice(at));
  });
  expect(new Set(joined)).toEqual(new Set([whole]));
});

test('keys pass through unchanged', () => {
  const keys = '\u001b[A\u001b[3~\t\r\u0003';
  expect(createPasteFilter().push(keys)).toBe(keys);
});

test('restoring a pasted line gives the original text', () => {
  const text = 'one\n\ttwo\nthree';
  expect(unfoldPaste(foldPaste(text))).toBe(text);
});
