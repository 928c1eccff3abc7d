// Installs the releases that test/changes pins and runs the tests over their differences: npm run test:changes
import { join } from 'node:path';
import { installPinned, run } from './install-pinned.mjs';

const root = join(import.meta.dirname, '..');

installPinned(join(root, 'test/changes'));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
run(
  process.execPath,
  [vitest, 'run', '--config', 'vitest.changes.config.ts', ...process.argv.slice(2)],
  root,
);
