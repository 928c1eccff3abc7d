/** The summary of a step of GitHub Actions: the runner shows what is in a file that it names, and takes no token for it. */
import { appendFileSync, statSync } from 'node:fs';
import { renderStepSummary } from '../../views/reports/markdown-report.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import type { Session } from '../session.ts';

/** Of all that a step writes there; the runner shows nothing of a longer one. */
const mostBytes = 1024 * 1024;

/** Room that a summary needs at the least: below that not even its outcome fits. */
const fewestBytes = 16_384;

/** Outside of GitHub Actions nothing happens. A summary that cannot be written changes no outcome; it is said. */
export function appendStepSummary(report: ReviewResult, { env, err }: Pick<Session, 'env' | 'err'>): void {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    const taken = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (mostBytes - taken < fewestBytes) {
      err('the step summary is full; --format markdown prints what would stand in it\n');
      return;
    }
    const separator = taken === 0 ? '' : '\n';
    appendFileSync(file, `${separator}${renderStepSummary(report, mostBytes - taken - separator.length)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    err(`the step summary cannot be written (${why}); --format markdown prints what would stand in it\n`);
  }
}
