// Installs the versions of Node that test/nodes pins, builds the package, and tries it on each: npm run test:nodes
import { join } from 'node:path';
import { installPinned, run } from './install-pinned.mjs';

const root = join(import.meta.dirname, '..');

installPinned(join(root, 'test/nodes'));
run(process.execPath, [join(root, 'scripts/build-for-tests.mjs')], root);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
run(process.execPath, [vitest, 'run', '--config', 'vitest.nodes.config.ts', ...process.argv.slice(2)], root);
