/** The program `collab`: the one file with side effects at import. */
import { version } from '../version.ts';

if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? '')) {
  process.stdout.write(`${version}\n`);
} else {
  const { leaveSchemasUncompiled } = await import('./uncompiled-schemas.ts');
  leaveSchemasUncompiled();
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
