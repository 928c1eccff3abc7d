import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { findImports } from './chunk-imports.ts';

/** Empty files at these paths, and one that contains the line. */
function importsOf(line: string, from: string, ...paths: readonly string[]): readonly string[] {
  const text = [[from, line] as const, ...paths.map((path) => [path, 'x'] as const)]
    .map(([path, content]) => `--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n+${content}\n`)
    .join('');
  return findImports(parseUnifiedDiff(text).files).map(({ to }) => to.path);
}

test.each([
  ["import { a } from './a.ts';", 'src/a.ts'],
  ["import { a } from './a.js';", 'src/a.ts'],
  ['export * from "./a"', 'src/a.tsx'],
  ["import '../a.mjs'", 'a.mjs'],
  ["const a = require('./lib')", 'src/lib/index.js'],
  ["const a = await import('./a.ts')", 'src/a.ts'],
  ["import { a } from '..';", 'index.ts'],
])('%s reaches %s', (line, path) => {
  expect(importsOf(line, 'src/main.ts', path, 'src/b.ts')).toEqual([path]);
});

test.each([
  ['from .a import b', ['shop/a.py']],
  ['from .a.b import (', ['shop/a/b.py']],
  ['from ..lib import a', ['lib/__init__.py']],
  ['from . import a, b as c', ['shop/a.py', 'shop/b.py']],
])('in Python %s reaches %j', (line, paths) => {
  expect(importsOf(line, 'shop/main.py', ...paths, 'other.py')).toEqual(paths);
});

test.each([
  ["import { a } from 'a';", 'src/main.ts'],
  ["import { a } from './gone.ts';", 'src/main.ts'],
  ["import { main } from './main.ts';", 'src/main.ts'],
  ["import { a } from './a.ts';", 'src/notes.md'],
  ['import a', 'src/main.py'],
])('%s in %s reaches nothing of the change', (line, from) => {
  expect(importsOf(line, from, 'src/a.ts', 'a.ts')).toEqual([]);
});

test('a line of a megabyte takes no noticeable time', () => {
  expect(importsOf(`import ${'from '.repeat(200_000)}`, 'src/main.ts', 'src/a.ts')).toEqual([]);
});
