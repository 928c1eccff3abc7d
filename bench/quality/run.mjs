// Measures the quality of reviews; see references/quality.md. Node 20 does not run TypeScript, so the program is bundled first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../bundle.mjs';

const root = join(import.meta.dirname, '../..');
if (existsSync(join(root, 'dist'))) {
  const { runQuality } = await import(await bundle(join(import.meta.dirname, 'main.ts')));
  process.exitCode = await runQuality(process.argv.slice(2), root);
} else {
  process.stderr.write('dist/ is missing\n  Run npm run build first.\n');
  process.exitCode = 2;
}
