import { defineConfig } from 'vitest/config';
import { reporters } from './test/setup/reporters.ts';

/** The package on several versions of Node: `npm run test:nodes`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['test/nodes/*.nodes.test.ts'],
    globalSetup: ['test/packed/global-setup.ts'],
    reporters: reporters(),
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
