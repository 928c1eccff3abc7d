/** Renders the result of an earlier run for an advisor that did not take part in it; empty if nothing was settled. */
import type { Finding } from '../../events/collab-event.ts';

/** The parts of a consult's result that are rendered. */
export interface EarlierConsult {
  readonly outcome: string | null;
  readonly sections: readonly { readonly name: string; readonly text: string }[];
  readonly asked_back: readonly {
    readonly tag: string;
    readonly question: string;
    readonly answer: string;
    readonly declined: string | null;
  }[];
}

/** The parts of a review's result that are rendered. */
export interface EarlierReview {
  readonly outcome: string | null;
  readonly findings: readonly Pick<Finding, 'severity' | 'title' | 'path' | 'start_line'>[];
  readonly workflow?:
    | {
        readonly task: string;
        readonly settled?: readonly { readonly phase: string; readonly text: string }[] | undefined;
      }
    | undefined;
}

export function renderEarlierConsult({ outcome, sections, asked_back }: EarlierConsult): string {
  if (outcome !== 'settled') return '';
  const answered = asked_back
    .filter(({ declined }) => declined === null)
    .map(({ tag, question, answer }) => `Asked back ${tag}: ${question}\n\nAnswered:\n\n${answer}`);
  return [...sections.map(({ name, text }) => `## ${name}\n\n${text}`), ...answered].join('\n\n');
}

/** Includes the settled texts of a run with phases, even if the run did not end as intended. */
export function renderEarlierReview({ outcome, findings, workflow }: EarlierReview): string {
  const settled = (workflow?.settled ?? []).map(({ phase, text }) => `## ${phase}\n\n${text}`);
  const task = workflow === undefined ? [] : [`The task was: ${workflow.task.trim()}`];
  const reviewed = renderOutcome({ outcome, findings });
  return [
    ...(settled.length === 0 ? [] : [...task, ...settled]),
    ...(reviewed === '' ? [] : [reviewed]),
  ].join('\n\n');
}

function renderOutcome({ outcome, findings }: Pick<EarlierReview, 'outcome' | 'findings'>): string {
  if (outcome === 'failed' || outcome === null) return '';
  const found = findings.map(
    ({ severity, title, path, start_line: line }) =>
      `- ${severity}: ${title}${path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`}`,
  );
  return [`The review ended ${outcome}.`, ...found].join('\n');
}
