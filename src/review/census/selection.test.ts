import { expect, test } from 'vitest';
import { compileSelection, everything } from './selection.ts';

const paths = ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts', 'docs/a.md', 'srcs/x.ts'];

const reviewed = new Set(['selected', 'named']);

function selected(include: readonly string[], exclude: readonly string[]): readonly string[] {
  const select = compileSelection({ include, exclude });
  return paths.filter((path) => reviewed.has(select(path).choice));
}

test('without globs everything is selected', () => {
  const select = compileSelection(everything);
  expect(paths.map((path) => select(path).choice)).toEqual(paths.map(() => 'selected'));
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
  expect(paths.map((path) => select(path).choice)).toEqual([
    'not_included',
    'named',
    'excluded',
    'named',
    'excluded',
    'not_included',
  ]);
});

test('a file that is left out says who left it out, the user first', () => {
  const repository = { include: [], exclude: ['docs', 'src/deep'] };
  const select = compileSelection({ include: [], exclude: ['*.md'], repository });
  expect(paths.map(select)).toEqual([
    { choice: 'selected', by: 'user' },
    { choice: 'selected', by: 'user' },
    { choice: 'excluded', by: 'repository' },
    { choice: 'selected', by: 'user' },
    { choice: 'excluded', by: 'user' },
    { choice: 'selected', by: 'user' },
  ]);
});

test.each([
  [['src'], [], 'user'],
  [[], ['src'], 'repository'],
  [['docs'], ['src'], 'user'],
] as const)(
  'with the includes %j of the user and %j of the repository, the %s narrows',
  (include, own, by) => {
    const select = compileSelection({ include, exclude: [], repository: { include: own, exclude: [] } });
    expect(select('srcs/x.ts')).toEqual({ choice: 'not_included', by });
    expect(select('src/a.ts')).toEqual({ choice: 'named', by });
  },
);
