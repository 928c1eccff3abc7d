import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ownPackage } from './test/setup/own-package.ts';
import { reporters } from './test/setup/reporters.ts';

/** The real agents, pinned in test/agents, and what takes long: `npm run test:agents`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  resolve: ownPackage,
  test: {
    include: ['test/agents/**/*.test.ts', '{src,test,web/src}/**/*.slow.test.{ts,tsx}'],
    globalSetup: ['test/packed/global-setup.ts'],
    reporters: reporters(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    // Much of a run waits for processes; of two cores the default takes one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // On an idle machine, an awaited event arrives at once.
    expect: { poll: { timeout: 20_000 } },
  },
});
