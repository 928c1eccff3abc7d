// Bundles a file of src/ or test/ for a benchmark, into a temporary folder; Node 20 does not run TypeScript.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

/** Returns the path of the module; its folder is removed when this process ends. */
export async function bundle(file) {
  const folder = mkdtempSync(join(tmpdir(), 'collab-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const build = await rolldown({ input: file, platform: 'node', external: [/^node:/], plugins: [asInPlace] });
  const target = join(folder, basename(file).replace(/\.\w+$/, '.mjs'));
  await build.write({ file: target, format: 'esm', codeSplitting: false });
  await build.close();
  return target;
}

/** Packages that are native, or look for parts of their own. */
const installed = ['@ast-grep/napi', 'pg'];

/** Modules keep the folder of their source; some packages are imported from where they are installed. */
const asInPlace = {
  name: 'as-in-place',
  resolveId: (name) =>
    installed.includes(name) ? { id: import.meta.resolve(name), external: 'absolute' } : null,
  transform: (code, id) => code.replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
};
