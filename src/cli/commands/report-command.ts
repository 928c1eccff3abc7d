/** `collab report`: prints a saved result in another format, without a model. */
import { Option } from 'commander';
import type { Program } from '../program.ts';
import { describeFormats, reportFormats, type ReportFormat } from '../../views/reports/report-formats.ts';

interface ReportFlags {
  readonly format: ReportFormat;
  readonly ascii?: boolean;
}

const examples = `
Formats:
${describeFormats()}

Examples:
  collab report result.json --format markdown > review.md
  collab report .collab/runs/<run>/result.json --format sarif > review.sarif
`;

export function addReportCommand({ root, run }: Program): void {
  root
    .command('report')
    .description('print a saved result in another format, without a model')
    .argument('<result.json>', 'the result of a review')
    .addOption(
      new Option('--format <format>', 'choose the format').choices(reportFormats).default('terminal'),
    )
    .option('--ascii', 'print no emoji')
    .addHelpText('after', examples)
    .action((file: string, flags: ReportFlags) => {
      run(async (session) => {
        const { readResultFile } = await import('../../runs/folder/named-result.ts');
        const { writeReport } = await import('../driving/write-report.ts');
        session.out(await writeReport(readResultFile(file), flags.format, session, flags));
        return 0;
      });
    });
}
