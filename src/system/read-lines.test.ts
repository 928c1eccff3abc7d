import * as fc from 'fast-check';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { countLoopTurns } from './loop-turns.test-helper.ts';
import { readLines } from './read-lines.ts';

async function linesOf(stream: Readable, maxChars = 1000): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(stream, maxChars)) lines.push(line);
  return lines;
}

test('any split of the bytes gives the same lines', async () => {
  const text = fc.array(fc.constantFrom('é', '\u{2028}', '漢', 'a', '\n', ' '), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(100)), async (parts, cuts) => {
      const bytes = Buffer.from(parts.join(''));
      const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
      const chunks = places.map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
      const expected = parts.join('').split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(await linesOf(Readable.from(chunks.filter((chunk) => chunk.length > 0)))).toEqual(expected);
    }),
  );
});

test('a line that is too long is cut, and the next one is complete', async () => {
  const stream = Readable.from([Buffer.from('abcd'), Buffer.from('efgh\nxyz\r\n')]);
  expect(await linesOf(stream, 6)).toEqual(['abcdef', 'xyz']);
});

test('the event loop turns between two chunks of a flood', async () => {
  const chunks = Array.from({ length: 20 }, (_, index) => Buffer.from(`${index}\n`));
  const turns = countLoopTurns();
  const lines = await linesOf(Readable.from(chunks));
  expect(lines).toEqual(chunks.map((_, index) => String(index)));
  expect(turns.stop()).toBeGreaterThanOrEqual(chunks.length - 1);
});

test('a stream that breaks off ends the lines', async () => {
  const stream = new Readable({ read: () => undefined });
  stream.push('one\ntw');
  const lines = readLines(stream, 10);
  expect((await lines.next()).value).toBe('one');
  stream.destroy();
  expect((await lines.next()).value).toBe('tw');
  expect((await lines.next()).done).toBe(true);
});
