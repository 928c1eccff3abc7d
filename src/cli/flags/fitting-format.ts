/** Checks whether the requested format fits a run's result. */
import { consultFormats, type ConsultFormat, type ReportFormat } from '../../views/reports/report-formats.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';

/** Called before anything is done. @throws CollabError `usage` if a consult is requested as findings */
export function refuseMisfit(found: OpenedRun, format: ReportFormat): void {
  if (!isConsultFormat(format) && found.input.kind === 'consult') takeConsultFormat(format);
}

/** @throws CollabError `usage` */
export function takeConsultFormat(format: ReportFormat): ConsultFormat {
  if (isConsultFormat(format)) return format;
  throw new CollabError('usage', `a consult has no findings, and ${format} shows nothing else`, {
    hint: `use one of ${consultFormats.join(', ')}`,
  });
}

function isConsultFormat(format: ReportFormat): format is ConsultFormat {
  return consultFormats.some((candidate) => candidate === format);
}
