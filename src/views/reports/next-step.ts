/**
 * Returns the next action after a run, on one line: the last line of its report. `remote`: the flag by which a command finds the
 * run, with a space before it.
 */
import type { ReviewResult } from '../../review/outcome/result.ts';

export function nextStep(report: ReviewResult, remote = ''): string {
  const { run_id: run, state, outcome } = report;
  const isHere = remote === '';
  if (state !== 'ended')
    return isHere ? `collab resume ${run} continues it` : `collab wait ${run}${remote} follows it`;
  const code = /^[a-z_]+(?=: |$)/.exec(report.reasons[0] ?? '')?.[0] ?? '';
  const remedy = ((isHere ? null : remoteRemedies.get(code)) ?? remedies.get(code))
    ?.replace('<work>', report.workflow === undefined ? 'review' : 'task')
    .replace('<run>', run);
  if (isHere && remedy !== undefined && staysOpen.has(code) && report.exchanges.length > 0) {
    return `${remedy}; then continue with collab resume ${run}`;
  }
  if (remedy !== undefined) return remedy;
  if (report.workflow !== undefined) return afterWorkflow(report, report.workflow, remote);
  if (outcome === 'clean') return 'nothing to do';
  if (outcome === 'findings') {
    return report.exit_code === 1
      ? 'fix the findings above, then run the same review again'
      : 'read the findings above; none of them fails this review';
  }
  return `collab show ${run}${remote} shows the attempts; then run the same review again`;
}

/** The lead's work is in a copy of its own until the user applies it. */
function afterWorkflow(
  { run_id: run, exit_code: exit }: ReviewResult,
  { applied, phases }: NonNullable<ReviewResult['workflow']>,
  remote: string,
): string {
  const apply = `collab apply ${run}${remote}`;
  const isMade = phases.some(({ phase, result }) => phase === 'implementation' && result === 'settled');
  if (applied === 'refused') return `fix the obstacle, then ${apply}`;
  const account = remote === '' ? 'transcript.md of the run' : `collab show ${run}${remote} --events`;
  if (exit !== 0 && exit !== 1) return `${account} shows its progress, and why it ended`;
  if (!isMade) return `${account} has the results of the phases`;
  const made =
    applied === 'applied'
      ? 'the work is in your own files now'
      : `${apply} applies the work to your own files`;
  return exit === 0
    ? made
    : `collab show ${run}${remote} --as-prompt lists the findings left to fix; ${made}`;
}

/** The run can continue after this is fixed: settled requests are not sent again. */
const staysOpen: ReadonlySet<string> = new Set([
  'agent_missing',
  'agent_login',
  'agent_unreachable',
  'agent_silent',
]);

/** A run of a database ends for good: no command continues it. */
const remoteRemedies: ReadonlyMap<string, string> = new Map([
  ['time_spent', 'run the same <work> with a longer --time-limit'],
]);

const doctor = 'collab doctor shows what the advisor needs, with commands';

/** Remedies by the code that decided first; `<work>` becomes `review` or `task`. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['nothing_changed', 'check that this is the change that you mean'],
  ['nothing_reviewable', '--include <glob> includes skipped files'],
  ['file_unreadable', 'make it text again, or exclude it: --exclude <glob>'],
  ['file_hidden', 'commit the ignore rules first, or exclude the files: --exclude <glob>'],
  [
    'text_too_long',
    'review it whole with --include <glob>, leave it out with --exclude <glob>, or split the change',
  ],
  ['no_model_reviewer', `${doctor}; --advisor static_review asks for static checks alone`],
  [
    'time_spent',
    'collab resume <run> continues, with the full time limit; or run the same <work> with a longer --time-limit',
  ],
  ['budget_spent', 'run the same <work> again with a bigger --budget-usd or --budget-tokens'],
  ['agent_missing', doctor],
  ['agent_login', doctor],
  ['agent_model', doctor],
  ['agent_options', doctor],
  ['agent_quota', 'run the same <work> again when there is quota, or with another --advisor'],
  ['agent_overloaded', 'run the same <work> again later'],
  ['agent_unreachable', "check the network and the address of the advisor's model"],
  ['agent_silent', "check whether the advisor's model works at all"],
]);
