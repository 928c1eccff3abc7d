import { defineConfig } from 'vitest/config';
import { reporters } from './test/setup/reporters.ts';

/** A real Chromium against real servers on loopback: `npm run test:browser`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/packed/global-setup.ts', 'test/browser/global-setup.ts'],
    setupFiles: ['test/setup/seeded-properties.ts', 'test/setup/drawn-tests.ts'],
    reporters: reporters(),
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    // On an idle machine, an awaited event arrives at once.
    expect: { poll: { timeout: 40_000 } },
  },
});
