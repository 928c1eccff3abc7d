import { defineConfig } from 'vitest/config';
import { reporters } from './test/reporters.ts';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/contract/**/*.test.ts', 'test/packed/**/*.test.ts'],
    globalSetup: ['test/packed/global-setup.ts'],
    reporters: reporters(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
});
