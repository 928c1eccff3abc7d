import { expect, test } from 'vitest';
import { pairTests } from './chunk-tests.ts';
import { testPathsOf } from './test-names.ts';

test.each([
  ['src/a/total.ts', 'src/a/total.test.ts'],
  ['src/a/total.tsx', 'src/a/__tests__/total.tsx'],
  ['lib/total.mjs', 'test/total.test.mjs'],
  ['src/a/total.ts', 'test/a/total.test.ts'],
  ['shop/total.py', 'tests/shop/test_total.py'],
  ['total.py', 'test_total.py'],
  ['pkg/total.go', 'pkg/total_test.go'],
  ['app/models/total.rb', 'spec/models/total_spec.rb'],
  ['x/src/main/java/a/Total.java', 'x/src/test/java/a/TotalTest.java'],
  ['src/Total.php', 'tests/TotalTest.php'],
  ['src/total.rs', 'tests/total.rs'],
])('a test of %s may be %s', (path, expected) => {
  expect(testPathsOf(path)).toContain(expected);
});

test.each(['src/total.test.ts', 'test_total.py', 'TotalTest.java', 'README.md', 'Makefile', ''])(
  '%j has no test',
  (path) => {
    expect(testPathsOf(path)).toEqual([]);
  },
);

test('a named test is paired with its source if both are in a change', () => {
  const sources = ['src/a/total.ts', 'pkg/total.go', 'shop/total.py', 'src/Total.php'];
  for (const source of sources) {
    const [first = ''] = testPathsOf(source);
    expect(pairTests([source, first]).get(first)).toBe(source);
  }
});
