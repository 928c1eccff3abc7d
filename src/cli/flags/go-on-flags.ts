/** The flags of the commands that continue an existing run. */
import type { Command } from 'commander';
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import { formatOption } from './format-option.ts';

export interface GoOnFlags {
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly plain?: boolean;
  readonly ascii?: boolean;
  readonly format: ReportFormat;
}

export function addGoOnFlags(command: Command): Command {
  return addDisplayFlags(command).addOption(formatOption().default('terminal'));
}

/** Adds the flags for where and how a run is shown. */
export function addDisplayFlags(
  command: Command,
  verbose = "show the advisor's work on standard error",
): Command {
  return command
    .option('--detach', 'continue in the background and print one JSON line')
    .option('--verbose', verbose)
    .option('--plain', 'show at a terminal what a pipe shows')
    .option('--ascii', 'print no emoji');
}
