/** `collab resume`: continues a run from its last finished step; finished steps are not repeated. */
import { addGoOnFlags, type GoOnFlags } from '../flags/go-on-flags.ts';
import type { Program } from '../program.ts';

export function addResumeCommand({ root, run }: Program): void {
  const command = root
    .command('resume')
    .description('continue an interrupted or waiting run')
    .argument('[run]', 'its id, the start or end of the id, or "latest"', 'latest');
  addGoOnFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  collab resume\n  collab resume 20261121-093005-x7k2 --detach\n\nFinished work is not repeated. Exit codes: those of the command that started the run\n',
    )
    .action((wanted: string, flags: GoOnFlags) => {
      run(async (session) => {
        const { findRun } = await import('../flags/run-arguments.ts');
        const found = findRun(session, wanted);
        (await import('../flags/fitting-format.ts')).refuseMisfit(found, flags.format);
        return (await import('../driving/present-run.ts')).presentRun(session, found, flags);
      });
    });
}
