import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeadBuffer, createTailBuffer } from './output-buffer.ts';

const pieces = fc.array(fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)));

test('a head buffer keeps the first bytes, however they are cut', () => {
  fc.assert(
    fc.property(pieces, fc.nat(40), (chunks, maxBytes) => {
      const buffer = createHeadBuffer(maxBytes);
      for (const chunk of chunks) buffer.push(chunk);
      const whole = Buffer.concat(chunks);
      expect(buffer.bytes()).toEqual(whole.subarray(0, maxBytes));
      expect(buffer.dropped).toBe(whole.length > maxBytes);
    }),
  );
});

test('a tail buffer keeps the last bytes, however they are cut', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 40 }), (chunks, maxBytes) => {
      const buffer = createTailBuffer(maxBytes);
      for (const chunk of chunks) buffer.push(chunk);
      const whole = Buffer.concat(chunks);
      expect(buffer.bytes()).toEqual(whole.subarray(-maxBytes));
      expect(buffer.dropped).toBe(whole.length > maxBytes);
    }),
  );
});
