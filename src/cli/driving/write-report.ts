/** Renders a result in one of the formats; at a terminal with the lines of the change around each finding. */
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import { renderReport } from '../../views/reports/report-formats.ts';
import type { RunResult } from '../../runs/folder/result-file.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { takeConsultFormat } from '../flags/fitting-format.ts';
import { remoteWord } from '../engine/remote-flags.ts';
import type { Session } from '../session.ts';
import { contextOfRun } from './context-of-run.ts';

export interface ReportStyle {
  readonly ascii?: boolean | undefined;
  /** The run of the result, if available. */
  readonly run?: OpenedRun;
}

/**
 * Also writes the step summary for the format `github`.
 * @throws CollabError `usage` for a consult as findings
 */
export async function writeReport(
  result: RunResult,
  format: ReportFormat,
  session: Pick<Session, 'screen' | 'env' | 'err' | 'engine'>,
  { ascii = false, run }: ReportStyle,
): Promise<string> {
  const { columns, color } = session.screen;
  const remote = remoteWord(session);
  if (result.schema === 'collab.consult/v1') {
    const { renderConsult } = await import('../../views/reports/consult-report.ts');
    const { markdownAtTerminal } = await import('./markdown-at-terminal.ts');
    const taken = takeConsultFormat(format);
    const renderMarkdown = taken === 'terminal' ? await markdownAtTerminal(session) : null;
    return renderConsult(taken, result, { color: color.out, ascii, remote, renderMarkdown });
  }
  if (format === 'github') (await import('./step-summary.ts')).appendStepSummary(result, session);
  const options = { columns, color: color.out, ascii, remote };
  if (format !== 'terminal' || run === undefined) return renderReport(format, result, options);
  const look = await (await import('./look-of.ts')).lookOf(session, run);
  const seen = { ...options, ...(look === undefined ? {} : { look }) };
  const contextOf = result.findings.length === 0 ? null : await contextOfRun(run);
  return renderReport(format, result, contextOf === null ? seen : { ...seen, contextOf });
}
