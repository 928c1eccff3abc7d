/** The outcome as an entry among the findings, for formats that know nothing but findings. */
import { renderCount } from '../../text/quantities.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { oneInertLine } from './plain-finding.ts';
import { filesWith, summarise } from './summary.ts';

export interface OutcomeEntry {
  /** `collab/incomplete`, `collab/failed`, `collab/not_finished`. */
  readonly rule: string;
  /** `Code review: incomplete — 2 findings: …`. */
  readonly title: string;
  /** Why, what was not looked at, what to do: a line each. */
  readonly details: readonly string[];
  /** A file that was not reviewed, else one of the change; null where none is known. */
  readonly path: string | null;
}

/** How many files of those that were not reviewed are named. */
const namedFiles = 20;

/** Null where the review ended with everything looked at: then what is listed is all there is. */
export function outcomeEntry(report: ReviewResult): OutcomeEntry | null {
  if (isWhole(report)) return null;
  const { headline, coverage, reasons, exit, next } = summarise(report);
  const failed = filesWith(report, 'failed');
  const [first] = [...failed, ...report.coverage.files];
  return {
    rule: `collab/${report.state === 'ended' ? report.outcome : 'not_finished'}`,
    title: `Code review: ${headline}`,
    details: [...reasons, coverage, ...namesOf(failed), exit, `next: ${next}`].map(oneInertLine),
    path: first?.path ?? null,
  };
}

export function isWhole({ state, outcome }: ReviewResult): boolean {
  return state === 'ended' && outcome !== 'incomplete' && outcome !== 'failed';
}

function namesOf(files: readonly { readonly path: string }[]): readonly string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, namedFiles).map(({ path }) => path);
  const rest = files.length - named.length;
  return [
    `not reviewed: ${[...named, ...(rest > 0 ? [`${renderCount(rest, 'more file')}`] : [])].join(', ')}`,
  ];
}
