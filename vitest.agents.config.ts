import { defineConfig } from 'vitest/config';

/** The real agents, pinned in test/agents: `npm run test:agents`. */
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  test: {
    include: ['test/agents/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
});
