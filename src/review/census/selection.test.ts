import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { selectPaths, everything, type Selection } from './selection.ts';

const paths = ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src/.hidden/c.ts', 'docs/a.md', 'srcs/x.ts'];

const reviewed = new Set(['selected', 'named']);

function selected(include: readonly string[], exclude: readonly string[]): readonly string[] {
  const select = selectPaths({ include, exclude }, paths);
  return paths.filter((path) => reviewed.has(select(path).choice));
}

test('without globs everything is selected', () => {
  const select = selectPaths(everything, paths);
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

test('excluded takes precedence over included, and each gives its reason', () => {
  const select = selectPaths({ include: ['src'], exclude: ['*.md', 'src/deep'] }, paths);
  expect(paths.map((path) => select(path).choice)).toEqual([
    'not_included',
    'named',
    'excluded',
    'named',
    'excluded',
    'not_included',
  ]);
});

test('a left-out file names the side that left it out, the user first', () => {
  const repository = { include: [], exclude: ['docs', 'src/deep'] };
  const select = selectPaths({ include: [], exclude: ['*.md'], repository }, paths);
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
    const select = selectPaths({ include, exclude: [], repository: { include: own, exclude: [] } }, paths);
    expect(select('srcs/x.ts')).toEqual({ choice: 'not_included', by });
    expect(select('src/a.ts')).toEqual({ choice: 'named', by });
  },
);

test('a name with glob characters matches the glob that spells it', () => {
  const select = selectPaths({ include: [], exclude: ['app/[id].ts', 'a(b).ts'] }, [
    'app/[id].ts',
    'a(b).ts',
    'app/i.ts',
  ]);
  expect(['app/[id].ts', 'a(b).ts', 'app/i.ts'].map((path) => select(path).choice)).toEqual([
    'excluded',
    'excluded',
    'excluded',
  ]);
});

test.each(['*a'.repeat(30), '+(+(a|aa)+(a|aaa))', '{a,aa}'.repeat(20)])(
  'the glob %sb is matched or refused in time',
  (glob) => {
    const long = ['a'.repeat(3000), `${'a/'.repeat(1500)}c`];
    const outcome = (): string => {
      try {
        return long
          .map(selectPaths({ include: [`${glob}b`], exclude: [] }, long))
          .map(({ choice }) => choice)
          .join();
      } catch (error) {
        return error instanceof CollabError ? error.message : String(error);
      }
    };
    expect(['not_included,not_included', 'the globs of include or exclude take too long to match']).toContain(
      outcome(),
    );
  },
);

test('named paths leave out all others, without patterns, and the globs still narrow', () => {
  const names = ['src/a.ts', 'src/b.ts', 'lib/src/a.ts', 'src*', 'srcs/a.ts'];
  const chosen = (selection: Selection) => {
    const select = selectPaths(selection, names);
    return names.map((path) => select(path).choice);
  };
  const out = 'not_included';
  expect(chosen({ ...everything, only: ['src'] })).toEqual(['named', 'named', out, out, out]);
  expect(chosen({ ...everything, only: ['src*'] })).toEqual([out, out, out, 'named', out]);
  expect(chosen({ ...everything, only: ['.'] })).toEqual(names.map(() => 'named'));
  expect(chosen({ include: ['lib'], exclude: ['b.ts'], only: ['src', 'lib'] })).toEqual([
    out,
    'excluded',
    'named',
    out,
    out,
  ]);
});
