import { defineConfig } from 'vitest/config';
import { ownPackage } from './test/setup/own-package.ts';
import { reporters } from './test/setup/reporters.ts';

/** The engine on a PostgreSQL of the tests' own: `npm run test:postgres`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  resolve: ownPackage,
  test: {
    include: ['{src,test}/**/*.postgres.test.ts'],
    globalSetup: ['test/packed/global-setup.ts'],
    setupFiles: ['test/setup/seeded-properties.ts'],
    reporters: reporters(),
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    expect: { poll: { timeout: 40_000 } },
  },
});
