import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ownPackage } from './test/own-package.ts';
import { reporters } from './test/reporters.ts';
import { slowTests } from './test/slow-tests.ts';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  resolve: ownPackage,
  test: {
    include: [
      'src/**/*.test.ts',
      'web/src/**/*.test.{ts,tsx}',
      'test/*.test.ts',
      'test/contract/**/*.test.ts',
      'test/packed/**/*.test.ts',
    ],
    exclude: [...slowTests],
    globalSetup: ['test/packed/global-setup.ts'],
    reporters: reporters(),
    // Half of the time of a run would be spent on loading the same modules for every file; no test mocks one.
    isolate: false,
    // Much of a run waits for processes; of two cores the default takes one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    // What is waited for comes at once on a machine that does nothing else.
    expect: { poll: { timeout: 20_000 } },
  },
});
