/** A result as text in one of the formats. */
import { renderReport, type ReportFormat } from '../reports/report-formats.ts';
import type { ReviewResult } from '../review/result.ts';
import type { Session } from './session.ts';

export function writeReport(
  result: ReviewResult,
  format: ReportFormat,
  session: Pick<Session, 'screen'>,
  { ascii = false }: { readonly ascii?: boolean },
): Promise<string> {
  const { columns, color } = session.screen;
  return renderReport(format, result, { columns, color: color.out, ascii });
}
