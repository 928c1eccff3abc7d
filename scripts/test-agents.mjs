// Installs the agents' pinned binaries into test/agents/, builds what is packed, and runs the tests that drive both:
// npm run test:agents
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const agents = join(root, 'test/agents');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

if (!isInstalled()) run(npm, ['ci', '--ignore-scripts'], agents);
run(process.execPath, [join(root, 'scripts/build.mjs')], root);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
run(process.execPath, [vitest, 'run', '--config', 'vitest.agents.config.ts', ...process.argv.slice(2)], root);

/** What npm installed last is what the lock file says now. */
function isInstalled() {
  const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(packagesOf);
  if (wanted === null || present === null) return false;
  const system = `${process.platform}-${process.arch}`;
  const names = ['@openai/codex', `@openai/codex-${system}`, '@anthropic-ai/claude-code', 'skills-ref'];
  return [...names, `@anthropic-ai/claude-code-${system}`]
    .map((name) => `node_modules/${name}`)
    .every((name) => wanted[name] !== undefined && wanted[name].version === present[name]?.version);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(agents, file), 'utf8')).packages;
  } catch {
    return null;
  }
}

function run(file, args, cwd) {
  const { status, error } = spawnSync(file, args, { cwd, stdio: 'inherit', shell: file === 'npm.cmd' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
