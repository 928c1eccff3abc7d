import { defineConfig } from 'vitest/config';

// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/contract/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
});
