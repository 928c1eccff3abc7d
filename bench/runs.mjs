/** `collab runs` in a folder with 10,000 runs that have ended: the first list reads each run, the next ones read the index. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../bin/collab');
const count = Number(process.argv[2] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'collab-bench-runs-'));
const collab = (...args) =>
  execFileSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: 'pipe',
  });

try {
  writeFileSync(join(folder, 'a.diff'), '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n');
  collab('review', 'a.diff', '--advisor', 'static_review');
  const runs = join(folder, '.collab/runs');
  const [one] = readdirSync(runs);
  for (let index = 1; index < count; index += 1) {
    const second = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString().replaceAll(/[-:]/g, '');
    const id = `${second.slice(0, 8)}-${second.slice(9, 15)}-abcd`;
    cpSync(join(runs, one), join(runs, id), { recursive: true });
  }
  for (const what of ['first list', 'second list', 'third list']) {
    const begun = performance.now();
    const lines = collab('runs').trimEnd().split('\n').length;
    process.stdout.write(`${what}: ${lines} runs in ${Math.round(performance.now() - begun)} ms\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
