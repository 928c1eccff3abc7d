import { expect, test } from 'vitest';
import fc from 'fast-check';
import { digestOf } from './digest.ts';

test('the order of keys does not matter, anything else does', () => {
  expect(digestOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(digestOf({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
  expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: '1' }));
});

test('values that JSON omits are omitted', () => {
  expect(digestOf({ a: undefined })).toBe(digestOf({}));
  expect(digestOf(undefined)).toBe(digestOf(null));
});

test('a value and its JSON have one digest', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(digestOf(JSON.parse(JSON.stringify(value)))).toBe(digestOf(value));
    }),
  );
});
