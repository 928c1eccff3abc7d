/** Reports findings that were known before, and answers reused from the cache. */
import type { ReviewResult } from '../../review/outcome/result.ts';
import { agentLabel } from '../screen/agent-label.ts';
import { renderCount } from '../../text/quantities.ts';

/**
 * Returns one line each, without line breaks of its own; the reasons of suppressions and the file name are the user's
 * text.
 */
export function knownLines(report: ReviewResult): readonly string[] {
  return [
    ...fixLines(report),
    ...baselineLine(report),
    ...suppressionLines(report),
    ...cacheLine(report),
    ...verdictLine(report),
  ];
}

/** One line for each finding that the run was to fix. */
function fixLines({ fix }: ReviewResult): readonly string[] {
  if (fix === undefined) return [];
  return fix.findings.map(({ id, fate, path, start_line: line, title, reason, now }) => {
    const place = path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`;
    const again = now === null || fate !== 'still_there' ? '' : `, now ${now}`;
    return `${id} ${fateWords[fate]}${again}: ${title}${place}${reason === null ? '' : `; the lead: ${reason}`}`;
  });
}

const fateWords = {
  fixed: 'fixed',
  not_seen_again: 'not seen again, but its line is still there',
  still_there: 'still there',
  refused: 'refused',
  unanswered: 'not fixed',
} as const;

function baselineLine({ baseline }: ReviewResult): readonly string[] {
  if (baseline === undefined) return [];
  const {
    new: fresh,
    still_there: still,
    fixed,
    not_seen_again: missing = [],
    not_looked_at: unseen,
  } = baseline;
  const parts = [
    `${fresh} new`,
    `${still} still there`,
    `${fixed.length} fixed`,
    ...(missing.length > 0 ? [`${missing.length} not seen again`] : []),
    ...(unseen.length > 0 ? [`${unseen.length} in files that were not looked at`] : []),
  ];
  const gaps =
    baseline.outcome === 'incomplete' || baseline.outcome === 'nothing_reviewed'
      ? '; the baseline is incomplete: findings in parts that it did not cover count as new'
      : '';
  return [`since the baseline ${baseline.run_id}: ${parts.join(', ')}${gaps}`];
}

function suppressionLines({ suppressions }: ReviewResult): readonly string[] {
  if (suppressions === undefined) return [];
  const { file, suppressed, expired, unused } = suppressions;
  const where = unused.length === 1 ? 'line' : 'lines';
  return [
    ...(suppressed > 0 ? [`${renderCount(suppressed, 'finding')} suppressed by ${file}`] : []),
    ...expired.map(
      (entry) =>
        `${file}:${entry.line} expired on ${entry.expires ?? 'an unknown day'}, ` +
        `${entry.findings === 0 ? 'and fits no finding' : `${renderCount(entry.findings, 'finding')} counted again`}: ${entry.reason}`,
    ),
    ...(unused.length > 0
      ? [
          `${renderCount(unused.length, 'entry', 'entries')} of ${file} fit no finding here: ` +
            `${where} ${unused.map(({ line }) => line).join(', ')}`,
        ]
      : []),
  ];
}

/** The cache keeps answers by the agent that gave them: it is the advisor of this run. */
function cacheLine({ exchanges, advisor }: ReviewResult): readonly string[] {
  const runs = new Set(exchanges.flatMap(({ cached }) => (cached === undefined ? [] : [cached.run_id])));
  if (runs.size === 0) return [];
  const cached = exchanges.filter((exchange) => exchange.cached !== undefined).length;
  const all = renderCount(exchanges.length, 'exchange');
  const by = advisor === null ? 'the advisor' : agentLabel(advisor);
  const earlier = `${runs.size === 1 ? 'run' : 'runs'} ${[...runs].join(', ')}`;
  return [`${cached} of ${all} answered from the cache: ${by} reviewed the same lines in ${earlier}`];
}

function verdictLine({ second_opinion: opinion }: ReviewResult): readonly string[] {
  const cached = opinion?.cached ?? [];
  if (opinion === undefined || cached.length === 0) return [];
  const all = renderCount(opinion.asked.length, 'verdict');
  const runs = [...new Set(cached.map(({ run_id }) => run_id))].join(', ');
  return [
    `${cached.length} of ${all} of the ${opinion.by ?? 'lead'} from an earlier run (${runs}); quotations are checked again`,
  ];
}
