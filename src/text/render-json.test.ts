import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderJson, renderJsonLine } from './render-json.ts';

const nasty = fc.string({
  unit: fc.constantFrom(
    'a',
    '"',
    '\\',
    '\n',
    '##[',
    '::',
    '<!--',
    '\u001b',
    '\u009b',
    '\u202e',
    '\u{e0041}',
    '\u2028',
    '設',
  ),
});

test('X000-6.2 every text comes back letter by letter, and printing it does nothing', () => {
  fc.assert(
    fc.property(nasty, (title) => {
      for (const text of [renderJson({ findings: [{ title }] }), renderJsonLine({ findings: [{ title }] })]) {
        expect(JSON.parse(text)).toEqual({ findings: [{ title }] });
        expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2028]|##\[|<!--/u);
        expect(text).not.toMatch(/^\s*::/m);
      }
    }),
  );
});

test('a value is on several lines, or on one; each ends', () => {
  expect(renderJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  expect(renderJsonLine({ a: ['one\ntwo'] })).toBe('{"a":["one\\ntwo"]}\n');
});
