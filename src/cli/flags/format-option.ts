import { Option } from 'commander';
import { reportFormats, type ReportFormat } from '../../views/reports/report-formats.ts';

/** Without a default, the configuration chooses. */
export function formatOption(formats: readonly ReportFormat[] = reportFormats): Option {
  return new Option('--format <format>', 'choose the format of standard output').choices(formats);
}
