// Builds dist/ before tests, unless TEST_BUILT=1 says that it is built from these sources: .ci/run builds once for all of its test runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const isBuilt = process.env.TEST_BUILT === '1' && existsSync(join(import.meta.dirname, '../dist/main.cjs'));
if (!isBuilt) await import('./build.mjs');
