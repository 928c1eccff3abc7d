import { expect, test } from 'vitest';
import { pairTests } from './chunk-tests.ts';

test.each([
  ['src/foo.test.ts', 'src/foo.ts'],
  ['src/foo.spec.tsx', 'src/foo.ts'],
  ['src/__tests__/foo.ts', 'src/foo.ts'],
  ['src/__tests__/foo.test.js', 'src/foo.mjs'],
  ['tests/test_foo.py', 'package/foo.py'],
  ['queue/queue_test.go', 'queue/queue.go'],
  ['spec/models/user_spec.rb', 'app/models/user.rb'],
  ['src/test/java/shop/CartTest.java', 'src/main/java/shop/Cart.java'],
  ['Shop.Tests/CartTests.cs', 'Shop/Cart.cs'],
])('%s is a test of %s', (path, source) => {
  expect([...pairTests([path, 'other.ts', source])]).toEqual([[path, source]]);
});

test.each([
  ['src/foo.test.ts', 'src/foo.py'],
  ['src/foo.test.ts', 'src/bar.ts'],
  ['src/contest.ts', 'src/con.ts'],
  ['src/latest.java', 'src/la.java'],
])('%s is no test of %s', (path, source) => {
  expect([...pairTests([path, source])]).toEqual([]);
});

test('of several sources with the name, the one in the nearest folder is chosen', () => {
  const sources = ['lib/index.ts', 'lib/cart/index.ts', 'web/cart/index.ts'];
  const pairs = pairTests([...sources, 'lib/cart/index.test.ts', 'test/web/cart/index.test.ts']);
  expect([...pairs.values()]).toEqual(['lib/cart/index.ts', 'web/cart/index.ts']);
});
