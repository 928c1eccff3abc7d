/** Writes the report files of a run atomically; from its first moment on they say "not finished". */
import type { ReportTarget } from '../../config/settings.ts';
import { fileFaultOf } from '../../system/files/fault.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderReport } from '../../views/reports/report-formats.ts';
import { isStream, writeNamed } from '../../system/files/write-named.ts';

/** Width of a report in a file. */
const columns = 100;

/** Writes to a pipe or a device only when the run has ended. @throws CollabError `input`, `file` */
export async function writeReports(targets: readonly ReportTarget[], result: ReviewResult): Promise<void> {
  for (const { format, file } of targets) {
    if (result.state === 'running' && isStream(file)) continue;
    const text = await renderReport(format, result, { columns, color: false });
    try {
      writeNamed(file, text);
    } catch (cause) {
      throw fileFaultOf(cause) ?? cause;
    }
  }
}
