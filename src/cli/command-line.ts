/** The entry of the script that `main.ts` runs: the whole command line, in one file for V8's code cache. */
import { leaveSchemasUncompiled } from './uncompiled-schemas.ts';

export { importBy } from '../system/import-module.ts';

/** Carries out a command line; returns the exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  leaveSchemasUncompiled();
  const { runProgram } = await import('./program.ts');
  return runProgram(args);
}
