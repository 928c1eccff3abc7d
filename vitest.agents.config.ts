import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ownPackage } from './test/setup/own-package.ts';
import { reporters } from './test/setup/reporters.ts';

/** The real agents, pinned in test/agents, what needs the descriptions of test/forge/api, and what takes long: `npm run test:agents`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  resolve: ownPackage,
  test: {
    include: [
      'test/agents/**/*.test.ts',
      '{src,test,web/src}/**/*.slow.test.{ts,tsx}',
      // A fast test of the loopback GitHub, which only here is compared with GitHub's own descriptions.
      'src/forge/round/publish-round.test.ts',
    ],
    globalSetup: ['test/packed/global-setup.ts'],
    setupFiles: ['test/setup/seeded-properties.ts', 'test/setup/drawn-tests.ts'],
    reporters: reporters(),
    // A test starts up to twenty processes, each of which takes several times as long on a loaded machine.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    // Much of a run waits for processes; of two cores the default takes one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // On an idle machine, an awaited event arrives at once.
    expect: { poll: { timeout: 40_000 } },
  },
});
