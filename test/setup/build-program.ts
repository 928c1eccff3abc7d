/** Node 20 runs no TypeScript: a program of the tests is bundled before a process is made of it. */
import { basename, join } from 'node:path';
import { build } from 'rolldown';

/** `source` is a file beside the tests. Returns the path of the program, below `folder`. */
export async function buildProgram(source: string, folder: string): Promise<string> {
  await build({
    input: source,
    platform: 'node',
    external: [/^node:/, '@ast-grep/napi'],
    logLevel: 'warn',
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  return join(folder, `${basename(source, '.ts')}.mjs`);
}
