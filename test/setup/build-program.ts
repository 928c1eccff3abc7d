/** Node 20 runs no TypeScript: a program of the tests is bundled before it is started. */
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'rolldown';

/**
 * `source` is a file beside the tests. Returns the path of the program, below `folder`, from where it finds the packages that
 * cannot be bundled.
 */
export async function buildProgram(source: string, folder: string): Promise<string> {
  await build({
    input: source,
    platform: 'node',
    external: [/^node:/, '@ast-grep/napi', 'pg'],
    logLevel: 'warn',
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  // The checklists of reviews are files beside the program's folder, as beside their source.
  cpSync(join(import.meta.dirname, '../../src/prompts/checklists'), join(folder, '../checklists'), {
    recursive: true,
  });
  const packages = join(folder, 'node_modules');
  if (!existsSync(packages)) symlinkSync(join(import.meta.dirname, '../../node_modules'), packages);
  return join(folder, `${basename(source, '.ts')}.mjs`);
}
