/** Node 20 runs no TypeScript: a fixture program is bundled before a process is made of it. */
import { join } from 'node:path';
import { build } from 'rolldown';

/** Returns the path of the program, below `folder`. */
export async function buildProgram(source: string, folder: string): Promise<string> {
  const file = join(folder, `${source.replace(/\.ts$/, '')}.mjs`);
  await build({
    input: join(import.meta.dirname, source),
    platform: 'node',
    logLevel: 'warn',
    output: { file, format: 'esm' },
  });
  return file;
}
