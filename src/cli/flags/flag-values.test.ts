import { expect, test } from 'vitest';
import { amountText, countText } from '../../config/flag-text.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { portText, takes, takesDuration } from './flag-values.ts';

function refusal(read: () => number): string {
  try {
    return `took ${read()}`;
  } catch (error) {
    if (error instanceof CollabError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

test('a duration is parsed as milliseconds; an invalid one is refused with the name of its flag', () => {
  const read = takesDuration('--time-limit');
  expect([read('1h30m'), read('500ms')]).toEqual([5_400_000, 500]);
  expect(['x', '0s', ''].map((text) => refusal(() => read(text)))).toEqual([
    'usage: --time-limit needs a duration, not "x"',
    'usage: --time-limit needs a duration, not "0s"',
    'usage: --time-limit needs a duration, not ""',
  ]);
});

test('a count must be a whole number within its bounds; the error names its flag', () => {
  const read = takes('--concurrency', countText({ most: 64 }));
  expect([read('1'), read('64')]).toEqual([1, 64]);
  expect(['0', '65', '1.5', '-1', 'x'].map((text) => refusal(() => read(text)))).toEqual(
    ['0', '65', '1.5', '-1', 'x'].map(
      (text) => `usage: --concurrency needs a whole number from 1 to 64, not "${text}"`,
    ),
  );
});

test('an amount of money must be greater than zero; the error names its flag', () => {
  const read = takes('--budget-usd', amountText(1_000_000));
  expect([read('5'), read('0.50')]).toEqual([5, 0.5]);
  expect(
    ['0', '0.0', '-1', '1e3', '$5', '', '1,5', '1000000.1'].map((text) => refusal(() => read(text))),
  ).toEqual(
    ['0', '0.0', '-1', '1e3', '$5', '', '1,5', '1000000.1'].map(
      (text) => `usage: --budget-usd needs an amount in US dollars, not "${text}"`,
    ),
  );
});

test('a port is a number up to 65535; another text, of which 80 characters are shown, is refused with a hint', () => {
  const read = takes('--port', portText);
  expect([read('0'), read('65535')]).toEqual([0, 65_535]);
  const wrong = ['65536', '100000', '-1', 'x1', '1x', ''];
  expect(wrong.map((text) => refusal(() => read(text)))).toEqual(
    wrong.map((text) => `usage: --port needs a port, not "${text}"`),
  );
  expect(() => read('9'.repeat(81))).toThrowError(
    expect.objectContaining({
      message: `--port needs a port, not "${'9'.repeat(80)}"`,
      hint: 'use a number from 1 to 65535, or 0 for any free port',
    }),
  );
  const plain = takes('--n', { name: 'n', wants: 'a number', parse: () => null });
  expect(() => plain('x')).toThrowError(expect.objectContaining({ hint: null }));
});
