/** The report files of a run, whole or not at all; from its first moment on they say "not finished". */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ReportTarget } from '../../config/settings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { renderReport } from '../../views/reports/report-formats.ts';
import { writeAtomically } from './run-folder.ts';

/** Width of a report in a file. */
const columns = 100;

/** @throws CollabError `usage` where a file cannot be written */
export async function writeReports(targets: readonly ReportTarget[], result: ReviewResult): Promise<void> {
  for (const { format, file } of targets) {
    const text = await renderReport(format, result, { columns, color: false });
    try {
      makeFolder(dirname(file));
      writeAtomically(file, text);
    } catch (cause) {
      throw new CollabError('usage', `the report ${file} cannot be written`, {
        hint: 'name a file in a folder that you may write to',
        cause,
      });
    }
  }
}

/** One level at a time: Node's own recursive form never returns below /proc (seen with Node 20.20). */
function makeFolder(folder: string): void {
  if (existsSync(folder) || dirname(folder) === folder) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
