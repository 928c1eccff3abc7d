// Installs what test/agents pins (the agents' binaries, the conformance suite of MCP) and test/forge/api (GitHub's descriptions
// of its APIs), builds the package, and runs the tests that need them: npm run test:agents
import { join } from 'node:path';
import { installPinned, run } from './install-pinned.mjs';

const root = join(import.meta.dirname, '..');

installPinned(join(root, 'test/agents'));
installPinned(join(root, 'test/agents/mcp/conformance'));
installPinned(join(root, 'test/forge/api'));
run(process.execPath, [join(root, 'scripts/build-for-tests.mjs')], root);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
run(process.execPath, [vitest, 'run', '--config', 'vitest.agents.config.ts', ...process.argv.slice(2)], root);
