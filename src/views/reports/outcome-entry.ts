/** Represents the outcome as an entry among the findings, for formats that support only findings. */
import { renderCount } from '../../text/quantities.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { oneInertLine } from './plain-finding.ts';
import { filesWith, summarise, type SummaryOptions } from './summary.ts';

export interface OutcomeEntry {
  /** `collab/incomplete`, `collab/failed`, `collab/nothing_reviewed`, `collab/not_finished`. */
  readonly rule: string;
  /** `note`: nothing was reviewed, and that does not fail the review. */
  readonly level: 'error' | 'note';
  /** `Code review: incomplete — 2 findings: …`. */
  readonly title: string;
  /** The reason, the unreviewed files and the remedy, one per line. */
  readonly details: readonly string[];
  /** An unreviewed file, else one of the change; null if none is known. */
  readonly path: string | null;
}

/** Number of unreviewed files that are named. */
const namedFiles = 20;

/** Returns null if everything was reviewed: then the list of findings is complete. */
export function outcomeEntry(report: ReviewResult, options: SummaryOptions): OutcomeEntry | null {
  if (isWhole(report) && report.outcome !== 'nothing_reviewed') return null;
  const { headline, coverage, reasons, exit, next } = summarise(report, options);
  const failed = filesWith(report, 'failed');
  const [first] = [...failed, ...report.coverage.files];
  return {
    rule: `collab/${report.state === 'ended' ? report.outcome : 'not_finished'}`,
    level: isWhole(report) ? 'note' : 'error',
    title: `Code review: ${headline}`,
    details: [...reasons, coverage, ...namesOf(failed), exit, `next: ${next}`].map(oneInertLine),
    path: first?.path ?? null,
  };
}

/** Returns true if the review missed nothing that it should have covered. */
export function isWhole({ state, outcome, exit_code }: ReviewResult): boolean {
  if (state !== 'ended' || outcome === 'incomplete' || outcome === 'failed') return false;
  return outcome !== 'nothing_reviewed' || exit_code === 0;
}

function namesOf(files: readonly { readonly path: string }[]): readonly string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, namedFiles).map(({ path }) => path);
  const rest = files.length - named.length;
  return [
    `not reviewed: ${[...named, ...(rest > 0 ? [`${renderCount(rest, 'more file')}`] : [])].join(', ')}`,
  ];
}
