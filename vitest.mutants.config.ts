import { defineConfig } from 'vitest/config';

/** The tests that judge a mutant: those beside the mutated files, none that starts a process. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['src/{parsers,machine,review}/**/*.test.ts'],
    exclude: ['**/*.git.test.ts'],
    setupFiles: ['test/quick-properties.ts'],
    testTimeout: 30_000,
  },
});
