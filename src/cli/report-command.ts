/** `collab report`: a saved result in another format, without a model. */
import { Option } from 'commander';
import type { Program } from './program.ts';
import { reportFormats, type ReportFormat } from '../config/settings.ts';

interface ReportFlags {
  readonly format: ReportFormat;
  readonly ascii?: boolean;
}

export function addReportCommand({ root, run }: Program): void {
  root
    .command('report')
    .description('print a saved result in another format, without a model')
    .argument('<result.json>', 'the result of a review')
    .addOption(new Option('--format <format>', 'what to print').choices(reportFormats).default('terminal'))
    .option('--ascii', 'no emoji')
    .addHelpText('after', '\nExample:\n  collab report result.json --format markdown > review.md\n')
    .action((file: string, flags: ReportFlags) => {
      run(async (session) => {
        const { readResultFile } = await import('./run-arguments.ts');
        const { writeReport } = await import('./write-report.ts');
        session.out(await writeReport(readResultFile(file), flags.format, session, flags));
        return 0;
      });
    });
}
