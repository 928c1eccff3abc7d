import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { renderStoredJson } from './json-report.ts';

test('the JSON report is the result itself', () => {
  expect(JSON.parse(renderStoredJson(report()))).toEqual(report());
  expect(renderStoredJson(report()).endsWith('}\n')).toBe(true);
});

test('X000-6.2 every text comes back letter by letter, and printing it does nothing', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      '"',
      '\\',
      '\n',
      '##[',
      '::',
      '\u001b',
      '\u009b',
      '\u202e',
      '\u{e0041}',
      '\u2028',
      '設',
    ),
  });
  fc.assert(
    fc.property(nasty, (title) => {
      const text = renderStoredJson(report({ findings: [finding({ title })] }));
      expect(JSON.parse(text)).toMatchObject({ findings: [{ title }] });
      expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202e\u2028]|##\[/u);
      expect(text).not.toMatch(/^\s*::/m);
    }),
  );
});
