import { describe, expect, test } from 'vitest';
import {
  fileNamedBy,
  headsRemarks,
  isBlank,
  isFileName,
  isGroupLine,
  isNumbered,
  namesALine,
} from './issue-shapes.ts';

describe('R001-12.1 the lines of an ISSUES section', () => {
  test.each([
    ['1. Leak', true],
    ['  **12) Leak', true],
    ['1.Leak', false],
    ['1234. Leak', false],
    ['a 1. Leak', false],
    ['2 1. Leak', false],
  ])('%j is numbered: %s', (text, expected) => {
    expect(isNumbered(text)).toBe(expected);
  });

  test.each([
    ['Critical', true],
    ['  🔴 Critical', true],
    ['**minor**', true],
    ['minor:', true],
    ['軽微：', true],
    ['minor', false],
    ['minor, says Bob', false],
  ])('%j opens a group: %s', (text, expected) => {
    expect(isGroupLine(text)).toBe(expected);
  });

  test.each([
    ['Leak in `a.ts:4`', true],
    ['Leak in `a.ts`', false],
    ['Leak', false],
  ])('%j names a line: %s', (text, expected) => {
    expect(namesALine(text)).toBe(expected);
  });

  test.each([
    ['Summary', true],
    ['## 📝 Overall:', true],
    ['Note', true],
    ['notes', true],
    ['総評', true],
    ['Summary of the leak', false],
    ['The summary', false],
  ])('%j heads remarks: %s', (text, expected) => {
    expect(headsRemarks(text)).toBe(expected);
  });

  test.each([
    ['`src/a.ts`', true],
    ['**src/a.ts**:', true],
    [' src/a.ts：  ', true],
    ['C: is full', false],
    ['Leak', false],
  ])('%j is a file name: %s', (text, expected) => {
    expect(isFileName(text)).toBe(expected);
  });

  test.each([
    ['Issues of `src/a.ts:4`', { path: 'src/a.ts', startLine: 4, endLine: 4 }],
    ['**Dockerfile**:', { path: 'Dockerfile', startLine: null, endLine: null }],
    ['Leak', null],
  ])('%j names the file %j', (text, location) => {
    expect(fileNamedBy(text)).toEqual(location);
  });

  test('only a line without characters is blank', () => {
    const code = { kind: 'code', code: '', language: null, raw: '' } as const;
    expect(
      [{ kind: 'line', text: ' \t' } as const, { kind: 'line', text: '.' } as const, code].map(isBlank),
    ).toEqual([true, false, false]);
  });
});
