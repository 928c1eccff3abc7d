import { configureGlobal, readConfigureGlobal } from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';

const before = readConfigureGlobal();

afterEach(() => configureGlobal(before));

test('properties draw by TEST_SEED', async () => {
  vi.stubEnv('TEST_SEED', '4711');
  vi.resetModules();
  await import('./seeded-properties.ts');
  expect(readConfigureGlobal().seed).toBe(4711);
});
