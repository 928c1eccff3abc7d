// Builds dist/: the code-split bundle by rolldown, the declarations by tsc.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const entries = { index: 'src/index.ts', main: 'src/cli/main.ts' };

rmSync(dist, { recursive: true, force: true });
const input = Object.fromEntries(
  Object.entries(entries)
    .map(([name, path]) => [name, join(root, path)])
    .filter(([, path]) => existsSync(path)),
);
if (Object.keys(input).length > 0) {
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/, '@ast-grep/napi'] });
  await bundle.write({ dir: dist, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  await bundle.close();
}
if (existsSync(join(root, 'src/index.ts'))) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.types.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
