import { expect, test } from 'vitest';
import { withKeys } from './watch-keys.ts';

test.each([
  ['a backspace removes a letter of an earlier piece', 'ab', '\u007fc', 'ac'],
  ['a backspace removes a whole character', 'a😀', '\b', 'a'],
  ['a backspace removes nothing of an earlier line', '', 'one\r\u007ftwo', 'one\rtwo'],
  ['a backspace without text does nothing', '', '\u007f', ''],
  ['other control characters are dropped', 'a', '\u0001b\tc', 'abc'],
])('%s', (_, begun, keys, text) => {
  expect(withKeys(begun, keys)).toBe(text);
});
