import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeToolName, encodeToolName, faultOfName } from './tool-name.ts';

const part = fc
  .tuple(
    fc.constantFrom('a', 'Z', '_'),
    fc.string({ unit: fc.constantFrom('b', '7', '_', '-'), maxLength: 6 }),
  )
  .map((letters) => letters.join(''));
const names = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));

test('X004-2 every name is written as APIs allow it, and read back as it was', () => {
  fc.assert(
    fc.property(names, (name) => {
      fc.pre(faultOfName(name) === null);
      expect(encodeToolName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(decodeToolName(encodeToolName(name))).toBe(name);
    }),
  );
});

test('X004-2.1 two names are never written alike', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      expect(encodeToolName(one) === encodeToolName(other)).toBe(one === other);
    }),
  );
});

test.each([
  ['fs.read', 'fs--read'],
  ['web-fetch', 'web-_fetch'],
  ['Read', 'Read'],
  ['get_weather', 'get_weather'],
])('X004-2.1 %s is written %s', (name, written) => {
  expect(encodeToolName(name)).toBe(written);
});

test.each(['web-fetch', 'a-', '-', 'a---b'])('a text that encodes no name is unchanged: %s', (written) => {
  expect(decodeToolName(written)).toBe(written);
});

test.each(['', '.read', 'fs.', 'fs..read', '7up', 'a b', 'fs/read', 'läs', `a${'.b'.repeat(22)}`])(
  'no tool may be named %j',
  (name) => {
    expect(faultOfName(name)).toMatch(/^a name /);
  },
);
