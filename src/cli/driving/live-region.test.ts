import { expect, test } from 'vitest';
import { createLiveRegion } from './live-region.ts';

const begin = '\u001b[?2026h';
const end = '\u001b[?2026l';
const up = '\u001b[1A\u001b[2K';

/** A region, and what it wrote since the last look. */
function regionOf(width: { columns: number }) {
  let written = '';
  const write = (text: string): void => void (written += text);
  const region = createLiveRegion({ write, columns: () => width.columns });
  return {
    region,
    write,
    since: (): string => {
      const text = written;
      written = '';
      return text;
    },
  };
}

test('lines replace the former ones, row by row', () => {
  const { region, since } = regionOf({ columns: 20 });
  region.draw(['one', 'two', 'three']);
  expect(since()).toBe(`${begin}one\ntwo\nthree${end}`);
  region.draw(['four']);
  expect(since()).toBe(`${begin}\r\u001b[2K${up.repeat(2)}four${end}`);
});

test('a narrower window has broken a line into more rows; its colors have no width', () => {
  const width = { columns: 20 };
  const { region, since } = regionOf(width);
  region.draw(['\u001b[31m0123456789\u001b[39m', '']);
  since();
  width.columns = 4;
  region.clear();
  expect(since()).toBe(`\r\u001b[2K${up.repeat(3)}`);
  region.draw(['ab']);
  since();
  width.columns = 0;
  region.clear();
  expect(since()).toBe(`\r\u001b[2K${up.repeat(1)}`);
});

test('the log is written above the lines, which are drawn again', () => {
  const { region, write, since } = regionOf({ columns: 20 });
  region.draw(['live']);
  since();
  region.above(() => write('log\n'));
  expect(since()).toBe(`${begin}\r\u001b[2Klog\nlive${end}`);
  region.clear();
  expect(since()).toBe('\r\u001b[2K');
});

test('nothing is removed that was not drawn', () => {
  const { region, since } = regionOf({ columns: 20 });
  region.clear();
  expect(since()).toBe('');
  region.draw(['live']);
  region.clear();
  since();
  region.clear();
  expect(since()).toBe('');
});
