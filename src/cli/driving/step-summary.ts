/** The step summary of GitHub Actions: the runner shows the content of a file that it names; no token is needed. */
import { dirname, join, basename } from 'node:path';
import { realPlace } from '../../system/files/in-folder.ts';
import { factsOf } from '../../system/files/read.ts';
import { openToAppend } from '../../system/files/write.ts';
import { renderStepSummary } from '../../views/reports/markdown-report.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { remoteWord } from '../engine/remote-flags.ts';
import type { Session } from '../session.ts';

/** Limit for everything that a step writes there; the runner drops a longer summary completely. */
const mostBytes = 1024 * 1024;

/** Minimum room for a summary: in less, not even its outcome fits. */
const fewestBytes = 16_384;

/** Does nothing outside GitHub Actions. A summary that cannot be written changes no outcome; it is reported. */
export function appendStepSummary(
  report: ReviewResult,
  session: Pick<Session, 'env' | 'err' | 'engine'>,
): void {
  const { env, err } = session;
  const named = env['GITHUB_STEP_SUMMARY'];
  if (named === undefined || named === '') return;
  const file = join(realPlace(dirname(named)), basename(named));
  try {
    const taken = factsOf(file)?.size ?? 0;
    if (mostBytes - taken < fewestBytes) {
      err('the step summary is full; --format markdown prints its text\n');
      return;
    }
    const separator = taken === 0 ? '' : '\n';
    const room = { mostBytes: mostBytes - taken - separator.length, remote: remoteWord(session) };
    append(file, `${separator}${renderStepSummary(report, room)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    err(`the step summary cannot be written (${why}); --format markdown prints its text\n`);
  }
}

function append(file: string, text: string): void {
  const summary = openToAppend(file);
  try {
    summary.append(text);
  } finally {
    summary.close();
  }
}
