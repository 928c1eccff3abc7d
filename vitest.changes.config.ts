import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { reporters } from './test/setup/reporters.ts';

/** Real changes, computed from the releases that test/changes pins: `npm run test:changes`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.changes.test.ts'],
    setupFiles: ['test/setup/seeded-properties.ts'],
    reporters: reporters(),
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    unstubEnvs: true,
  },
});
