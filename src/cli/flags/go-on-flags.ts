/** The flags of the commands that continue an existing run. */
import { Option, type Command } from 'commander';
import { reportFormats, type ReportFormat } from '../../config/settings.ts';

export interface GoOnFlags {
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly ascii?: boolean;
  readonly format: ReportFormat;
}

export function addGoOnFlags(command: Command): Command {
  return command
    .option('--detach', 'go on in the background; prints one JSON line')
    .option('--verbose', 'show the advisor at work on standard error')
    .option('--ascii', 'no emoji')
    .addOption(
      new Option('--format <format>', 'what goes to standard output')
        .choices(reportFormats)
        .default('terminal'),
    );
}
