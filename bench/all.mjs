// Builds dist/ and runs every benchmark, one after the other: npm run bench
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const benchmarks = [
  'start-up',
  'review-codex',
  'parser',
  'journal',
  'tools',
  'stream',
  'burst',
  'runs',
  'page',
];
const programs = ['scripts/build.mjs', ...benchmarks.map((name) => `bench/${name}.mjs`)];
for (const program of programs) {
  const { status } = spawnSync(process.execPath, [join(root, program), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
