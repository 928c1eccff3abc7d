import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { ByEnvironment } from './test/setup/by-environment.ts';
import { ownPackage } from './test/setup/own-package.ts';
import { reporters } from './test/setup/reporters.ts';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  resolve: ownPackage,
  test: {
    include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      'test/{agents,browser,fixtures}/**',
      '**/*.{changes,nodes,postgres,slow}.test.{ts,tsx}',
    ],
    globalSetup: ['test/packed/global-setup.ts'],
    setupFiles: ['test/setup/seeded-properties.ts', 'test/setup/environment-back.ts'],
    reporters: reporters(),
    // Half of the time of a run would be spent on loading the same modules for every file; no test mocks one.
    isolate: false,
    sequence: { sequencer: ByEnvironment },
    // Much of a run waits for processes.
    maxWorkers: availableParallelism() + 1,
    // A test starts up to twelve processes at once, each of which takes several times as long on a loaded machine.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // On an idle machine, an awaited event arrives at once.
    expect: { poll: { timeout: 20_000 } },
  },
});
