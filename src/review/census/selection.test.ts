import { expect, test } from 'vitest';
import { compileSelection, everything } from './selection.ts';

const paths = ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts', 'docs/a.md', 'srcs/x.ts'];

const reviewed = new Set(['selected', 'named']);

function selected(include: readonly string[], exclude: readonly string[]): readonly string[] {
  const select = compileSelection({ include, exclude });
  return paths.filter((path) => reviewed.has(select(path)));
}

test('without globs everything is selected', () => {
  expect(paths.map(compileSelection(everything))).toEqual(paths.map(() => 'selected'));
});

test.each([
  ['*.ts', ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts', 'srcs/x.ts']],
  ['src', ['src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts']],
  ['src/', ['src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts']],
  ['./src/*.ts', ['src/a.ts']],
  ['/src/deep', ['src/deep/b.ts']],
  ['deep', ['src/deep/b.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts']],
  ['{a,b}.ts', ['a.ts', 'src/a.ts', 'src/deep/b.ts']],
  ['.', paths],
  ['./', paths],
])('the glob %s selects %j', (glob, expected) => {
  expect(selected([glob], [])).toEqual(expected);
  expect(selected([], [glob])).toEqual(paths.filter((path) => !expected.includes(path)));
});

test('excluded wins over included, and each says so', () => {
  const select = compileSelection({ include: ['src'], exclude: ['*.md', 'src/deep'] });
  expect(paths.map(select)).toEqual([
    'not_included',
    'named',
    'excluded',
    'named',
    'excluded',
    'not_included',
  ]);
});
