/** `collab resume`: goes on with a run where it stopped; what is done is not done again. */
import { Option } from 'commander';
import { reportFormats, type ReportFormat } from '../config/settings.ts';
import type { Program } from './program.ts';

interface ResumeFlags {
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly ascii?: boolean;
  readonly format: ReportFormat;
}

export function addResumeCommand({ root, run }: Program): void {
  root
    .command('resume')
    .description('go on with a run where it stopped')
    .argument('[run]', 'its id, the beginning or end of it, or "latest"', 'latest')
    .option('--detach', 'go on in the background; prints one JSON line')
    .option('--verbose', 'show the advisor at work on standard error')
    .option('--ascii', 'no emoji')
    .addOption(
      new Option('--format <format>', 'what goes to standard output')
        .choices(reportFormats)
        .default('terminal'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  collab resume\n  collab resume 20261121-093005-x7k2 --detach\n\nWhat has finished is not done again. Exit codes: those of the command that began the run\n',
    )
    .action((wanted: string, flags: ResumeFlags) => {
      run(async (session) => {
        const { findRun } = await import('./run-arguments.ts');
        const found = findRun(session, wanted);
        return (await import('./drive-or-detach.ts')).driveOrDetach(session, found, flags);
      });
    });
}
