import type { ContextOf } from './diff-context.ts';
import { renderJsonReport } from './json-report.ts';
import { renderMarkdownReport } from './markdown-report.ts';
import type { ReviewReport } from './review-report.ts';
import { renderTerminalReport } from './terminal-report.ts';

export interface ReportOptions {
  readonly columns: number;
  readonly color: boolean;
  readonly ascii?: boolean;
  /** Lines of the change around a finding, where the change is at hand. */
  readonly contextOf?: ContextOf;
}

/** A renderer takes what it needs of the options. */
export type ReportRenderer = (report: ReviewReport, options: ReportOptions) => string;

/** `--format` and `--report` know exactly these names; a further format is a further row. */
export const reportFormats = {
  terminal: renderTerminalReport,
  json: renderJsonReport,
  markdown: renderMarkdownReport,
} satisfies Readonly<Record<string, ReportRenderer>>;

export type ReportFormat = keyof typeof reportFormats;

export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(reportFormats, name);
}
