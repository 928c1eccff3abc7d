/** The flags of the commands that continue an existing run. */
import type { Command } from 'commander';
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import { formatOption } from './format-option.ts';

export interface GoOnFlags {
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly ascii?: boolean;
  readonly format: ReportFormat;
}

export function addGoOnFlags(command: Command): Command {
  return command
    .option('--detach', 'continue in the background and print one JSON line')
    .option('--verbose', "show the advisor's work on standard error")
    .option('--ascii', 'print no emoji')
    .addOption(formatOption().default('terminal'));
}
