// Finds a Chromium, builds what ships, and runs the tests that need both: npm run test:browser
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

if (find() === undefined && process.env.CI !== undefined) installDebians();
const chromium = find();
if (chromium === undefined) {
  process.stderr.write(
    `No Chromium is on PATH (${names.join(', ')}): install one, e.g. apt-get install chromium\n`,
  );
  process.exit(1);
}
run([join(root, 'scripts/build.mjs')]);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
run([vitest, 'run', '--config', 'vitest.browser.config.ts', ...process.argv.slice(2)], {
  COLLAB_TEST_CHROMIUM: chromium,
});

function find() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const files = names.flatMap((name) => (process.platform === 'win32' ? [`${name}.exe`] : [name]));
  return folders.flatMap((folder) => files.map((file) => join(folder, file))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

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
