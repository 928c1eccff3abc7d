// Packs the built tree and checks the tarball with publint and "are the types wrong".
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'collab-package-'));
try {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  check('publint', ['run', tarball, '--strict']);
  check('attw', [tarball, '--profile', 'esm-only']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check(tool, args) {
  const { status } = spawnSync(join(root, 'node_modules/.bin', tool), args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
