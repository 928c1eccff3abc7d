import type { ReviewResult } from '../../review/outcome/result.ts';
import type { ContextOf } from './diff-context.ts';
import type { TerminalLook } from './terminal-look.ts';

export interface ReportOptions {
  readonly columns: number;
  readonly color: boolean;
  /** Uses only words and plain characters. Foreign text stays unchanged. */
  readonly ascii?: boolean;
  /** Returns the lines of the change around a finding; without it only the quotation is shown. */
  readonly contextOf?: ContextOf;
  /** The additions that only a terminal shows; the facts are the same without them. */
  readonly look?: TerminalLook;
}

/** A renderer uses the options that it needs. */
export type ReportRenderer = (result: ReviewResult, options: ReportOptions) => string;

/** The only names that `--format`, `--report` and the configuration accept; each further format is a row. Loaded on demand. */
const renderers = {
  terminal: async () => (await import('./terminal-report.ts')).renderTerminalReport,
  json: async () => (await import('./json-report.ts')).renderJsonReport,
  markdown: async () => (await import('./markdown-report.ts')).renderMarkdownReport,
  sarif: async () => (await import('./sarif-report.ts')).renderSarifReport,
  rdjson: async () => (await import('./rdjson-report.ts')).renderRdjsonReport,
  github: async () => (await import('./github-report.ts')).renderGithubReport,
  gitlab: async () => (await import('./gitlab-report.ts')).renderGitlabReport,
} satisfies Readonly<Record<string, () => Promise<ReportRenderer>>>;

export type ReportFormat = keyof typeof renderers;
export const reportFormats: readonly ReportFormat[] = Object.keys(renderers).filter(isReportFormat);

/** A consult answers in sections; the other formats are for findings. */
export const consultFormats = ['terminal', 'json', 'markdown'] as const satisfies readonly ReportFormat[];
export type ConsultFormat = (typeof consultFormats)[number];

export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(renderers, name);
}

/** Loads the modules for {@link renderReport}; a failure surfaces when that is called. */
export function preloadReport(format: ReportFormat): void {
  renderers[format]().catch(() => undefined);
}

export async function renderReport(
  format: ReportFormat,
  result: ReviewResult,
  options: ReportOptions,
): Promise<string> {
  const render: ReportRenderer = await renderers[format]();
  return render(result, options);
}
