/** Node 20 runs no TypeScript: the program that is killed is bundled first. */
import { join } from 'node:path';
import { build } from 'rolldown';

/** Returns the path of the program, below `folder`. */
export async function buildWorkflowProgram(folder: string): Promise<string> {
  await build({
    input: join(import.meta.dirname, 'workflow-program.ts'),
    platform: 'node',
    external: [/^node:/, '@ast-grep/napi'],
    logLevel: 'warn',
    output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  return join(folder, 'workflow-program.mjs');
}
