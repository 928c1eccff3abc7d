import type { ReviewResult } from '../../review/outcome/result.ts';
import type { ContextOf } from './diff-context.ts';
import type { SummaryOptions } from './summary.ts';
import type { TerminalLook } from './terminal-look.ts';

export interface ReportOptions extends SummaryOptions {
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

interface FormatRow {
  /** Words for the help. */
  readonly is: string;
  readonly load: () => Promise<ReportRenderer>;
}

/** The only names that `--format`, `--report` and the configuration accept; each further format is a row. Loaded on demand. */
const formats = {
  terminal: {
    is: 'for people',
    load: async () => (await import('./terminal-report.ts')).renderTerminalReport,
  },
  json: {
    is: 'the result itself',
    load: async () => (await import('../../text/render-json.ts')).renderJson,
  },
  markdown: {
    is: 'for one comment that each review replaces; starts with <!-- collab:review -->, at most 65,536 characters',
    load: async () => (await import('./markdown-report.ts')).renderMarkdownReport,
  },
  sarif: {
    is: 'SARIF 2.1.0, for code scanning',
    load: async () => (await import('./sarif-report.ts')).renderSarifReport,
  },
  rdjson: {
    is: 'for reviewdog -f=rdjson; use -filter-mode=nofilter to show the outcome too',
    load: async () => (await import('./rdjson-report.ts')).renderRdjsonReport,
  },
  github: {
    is: 'annotations for the log of a GitHub Actions step; adds the summary to $GITHUB_STEP_SUMMARY',
    load: async () => (await import('./github-report.ts')).renderGithubReport,
  },
  gitlab: {
    is: 'GitLab Code Quality',
    load: async () => (await import('./gitlab-report.ts')).renderGitlabReport,
  },
} satisfies Readonly<Record<string, FormatRow>>;

export type ReportFormat = keyof typeof formats;
export const reportFormats: readonly ReportFormat[] = Object.keys(formats).filter(isReportFormat);

/** Returns a line for each format, its name and its words, for a help text. */
export function describeFormats(): string {
  const width = Math.max(...reportFormats.map((name) => name.length));
  return reportFormats.map((name) => `  ${name.padEnd(width)}   ${formats[name].is}`).join('\n');
}

/** A consult answers in sections; the other formats are for findings. */
export const consultFormats = ['terminal', 'json', 'markdown'] as const satisfies readonly ReportFormat[];
export type ConsultFormat = (typeof consultFormats)[number];

export function isReportFormat(name: string): name is ReportFormat {
  return Object.hasOwn(formats, name);
}

/** Loads the modules for {@link renderReport}; a failure surfaces when that is called. */
export function preloadReport(format: ReportFormat): void {
  formats[format].load().catch(() => undefined);
}

export async function renderReport(
  format: ReportFormat,
  result: ReviewResult,
  options: ReportOptions,
): Promise<string> {
  const render: ReportRenderer = await formats[format].load();
  return render(result, options);
}
