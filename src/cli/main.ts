/** The program `collab`: the one file with side effects at import. */
import { join } from 'node:path';
import { openCodeCache } from '../system/start-up/code-cache.ts';
import { runScript } from '../system/start-up/run-script.ts';
import { expectShortRun } from '../system/start-up/short-run.ts';
import type * as CommandLine from './command-line.ts';

/** Settles when the command has ended, with what it threw. */
export const ended = run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<void> {
  // Before the cache is opened: V8's flags are part of its name.
  if (['review', 'consult', 'run'].includes(args[0] ?? '')) expectShortRun();
  const folder = join(import.meta.dirname, 'program');
  const cache = openCodeCache({ folder, env: process.env, name: args[0] ?? '' });
  const script = runScript<typeof CommandLine>(join(folder, 'command-line.cjs'), cache);
  script.exports.importBy((url) => import(url));
  process.exitCode = await script.exports.runCommandLine(args);
  // A command that was refused ran little of the program.
  if (process.exitCode < 2) script.keepCompiled();
  // Everything is written by then. Node would clear its memory first, object by object, which takes 10 to 40 ms.
  process.once('beforeExit', () => process.exit());
}
