import { afterEach, vi } from 'vitest';

/** After each test and not before the next one: the next file of a worker prepares its world before its first test. */
afterEach(() => void vi.unstubAllEnvs());
