/** Writes the report files of a run atomically; from its first moment on they say "not finished". */
import type { ReportTarget } from '../../config/settings.ts';
import { fileFaultOf } from '../../system/files/fault.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderReport } from '../../views/reports/report-formats.ts';
import type { SummaryOptions } from '../../views/reports/summary.ts';
import { isStream, requirePassed, writeNamed } from '../../system/files/write-named.ts';

/** Width of a report in a file. */
const columns = 100;

/**
 * Writes all reports, with next steps as the options say; then throws what one of them met first. Writes to a pipe or a device only when the run has ended.
 * @throws CollabError `input`, `file`
 */
export async function writeReports(
  targets: readonly ReportTarget[],
  result: ReviewResult,
  options: SummaryOptions = {},
): Promise<void> {
  const failures: unknown[] = [];
  for (const { format, file } of targets) {
    try {
      if (result.state === 'running' && isStream(file)) requirePassed(file);
      else writeNamed(file, await renderReport(format, result, { ...options, columns, color: false }));
    } catch (cause) {
      failures.push(fileFaultOf(cause) ?? cause);
    }
  }
  if (failures.length > 0) throw failures[0];
}
