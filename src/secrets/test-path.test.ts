import { expect, test } from 'vitest';
import { isTestPath } from './test-path.ts';

test.each(['test/a.ts', 'src/__tests__/a.ts', 'src/a.test.ts', 'src/a_spec.rb', 'app/test_total.py'])(
  '%s is a test',
  (path) => {
    expect(isTestPath(path)).toBe(true);
  },
);

test.each(['src/latest/a.ts', 'src/contest.ts', 'src/inspect.ts', 'testing.py'])('%s is no test', (path) => {
  expect(isTestPath(path)).toBe(false);
});
