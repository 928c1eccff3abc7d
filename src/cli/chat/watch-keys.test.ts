import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { watchKeys, withKeys } from './watch-keys.ts';

test.each([
  ['a backspace removes a letter of an earlier piece', 'ab', '\u007fc', 'ac'],
  ['a backspace removes a whole character', 'a😀', '\b', 'a'],
  ['a backspace removes nothing of an earlier line', '', 'one\r\u007ftwo', 'one\rtwo'],
  ['a backspace without text does nothing', '', '\u007f', ''],
  ['other control characters are dropped', 'a', '\u0001b\tc', 'abc'],
])('%s', (_, begun, keys, text) => {
  expect(withKeys(begun, keys)).toBe(text);
});

function watch() {
  const [done, raw]: [string[], boolean[]] = [[], []];
  const keyboard = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => void raw.push(on) });
  // oxlint-disable-next-line no-unsafe-type-assertion -- what is used of a keyboard
  const watched = watchKeys(keyboard as unknown as NodeJS.ReadStream & { readonly fd: 0 }, {
    stop: () => void done.push('stop'),
    typed: (keys) => void done.push(keys),
  });
  return { done, raw, keyboard, watched, type: (keys: string) => keyboard.emit('data', Buffer.from(keys)) };
}

test('Esc and Ctrl-C stop the answer; letters are for the next input, and other keys are not', () => {
  const { done, type } = watch();
  for (const keys of ['\u001b', '\u0003', 'ab\u0003c', 'ab', '\u001b[A', 'a\u001b']) type(keys);
  expect(done).toEqual(['stop', 'stop', 'stop', 'ab', 'a\u001b']);
});

test('a question has the keyboard while it is held, and nothing is read after the end', () => {
  const { done, raw, keyboard, watched, type } = watch();
  expect([raw, keyboard.isPaused()]).toEqual([[true], false]);
  const take = watched.hold();
  expect([raw, keyboard.isPaused(), keyboard.listenerCount('data')]).toEqual([[true, false], true, 0]);
  type('x');
  take();
  type('y');
  watched.end();
  watched.end();
  type('z');
  expect(done).toEqual(['y']);
  expect(raw).toEqual([true, false, true, false]);
});
