// Finds a Chromium, builds the package, and runs the tests that need both: npm run test:browser
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromiumNames, findChromium } from './find-chromium.mjs';

const root = join(import.meta.dirname, '..');

if (findChromium() === undefined && process.env.CI !== undefined) installDebians();
const chromium = findChromium();
if (chromium === undefined) {
  process.stderr.write(
    `No Chromium is on PATH (${chromiumNames.join(', ')}): install one, e.g. apt-get install chromium\n`,
  );
  process.exit(1);
}
run([join(root, 'scripts/build-for-tests.mjs')]);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
run([vitest, 'run', '--config', 'vitest.browser.config.ts', ...process.argv.slice(2)], {
  COLLAB_TEST_CHROMIUM: chromium,
});

function installDebians() {
  for (const words of [['update'], ['install', '-y', 'chromium']]) {
    const { status } = spawnSync('apt-get', [words[0], '-qq', ...words.slice(1)], { stdio: 'inherit' });
    if (status !== 0) return;
  }
}

function run(args, env = {}) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } };
  const { status, error } = spawnSync(process.execPath, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
