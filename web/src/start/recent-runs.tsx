/** Lists the newest runs of all conversations: outcome, findings by severity, cost and age. */
import { useCallback, useState, type ReactElement } from 'react';
import type { Severity } from '../../../src/client/run-events.ts';
import type { RunSummary } from '../../../src/client/run-types.ts';
import { severities } from '../../../src/client/review.ts';
import { Empty, Skeleton } from '../design/placeholder.tsx';
import { PathText } from '../design/path-text.tsx';
import { Segments } from '../design/segments.tsx';
import { SeverityMark } from '../design/severity-mark.tsx';
import { linkTo } from '../route.ts';
import { runWords } from '../run/run-words.ts';
import { StandingChip } from '../run/standing-chip.tsx';
import { FailureLine } from '../server/failure-line.tsx';
import { useServer } from '../server/server-context.tsx';
import { useAsked } from '../server/use-asked.ts';
import { useWhileVisible } from '../use-while-visible.ts';
import { useFormat } from '../words/format.ts';
import { CostSum } from '../words/cost-sum.tsx';
import { useTitle } from '../words/use-title.ts';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';
import { readRecentRuns } from './read-recent-runs.ts';
import { startWords } from './start-words.ts';

const refreshMs = 10_000;
const shownRuns = 12;

const filters = ['all', 'open', 'found'] as const;
type Filter = (typeof filters)[number];

export function RecentRuns(): ReactElement {
  const words = useWords(startWords);
  const { client } = useServer();
  const [filter, setFilter] = useState<Filter>('all');
  const { value, failure, reload } = useAsked(useCallback(() => readRecentRuns(client), [client]));
  useWhileVisible(refreshMs, reload);
  const runs = (value ?? []).filter(fits[filter]).slice(0, shownRuns);
  return (
    <section className="recent" aria-labelledby="recent-head">
      <div className="row">
        <h2 id="recent-head">{words.recent}</h2>
        {(value ?? []).length > 0 && (
          <Segments
            label={words.only}
            names={filters}
            words={words.shown}
            pressed={filter}
            onPress={setFilter}
          />
        )}
      </div>
      {failure !== null && <FailureLine failure={failure} onAgain={reload} />}
      {value === null && failure === null && <Skeleton rows={3} />}
      {value?.length === 0 && <Empty>{words.noRuns}</Empty>}
      {value !== null && value.length > 0 && runs.length === 0 && <Empty>{words.noneShown}</Empty>}
      <ul>
        {runs.map((run) => (
          <li key={run.run_id}>
            <RecentRun run={run} />
          </li>
        ))}
      </ul>
      <CostSum label={words.costs} runs={runs} />
    </section>
  );
}

const fits: Readonly<Record<Filter, (run: RunSummary) => boolean>> = {
  all: () => true,
  open: ({ state }) => state !== 'ended',
  found: ({ findings }) => findings !== null && findings !== undefined && sumOf(findings) > 0,
};

function RecentRun({ run }: { readonly run: RunSummary }): ReactElement {
  const words = useWords(runWords);
  const { notKnown } = useWords(shellWords);
  const format = useFormat();
  const titleOf = useTitle();
  const { run_id: id, conversation_id: conversation, kind, state, outcome, status } = run;
  const end = state === 'ended' ? { outcome, status: status ?? 'error' } : null;
  return (
    <a href={linkTo({ kind: 'run', conversation, run: id, tab: null, finding: null })}>
      <span className="what">
        <span className="name">
          <PathText text={titleOf(run) || words.kinds[kind]} />
        </span>
        <span className="quiet">
          {words.kinds[kind]}
          {run.started_at !== null && ` · ${format.age(run.started_at)}`}
          {state === 'ended' &&
            ` · ${typeof run.cost_usd === 'number' ? format.usd(run.cost_usd) : `${words.cost}: ${notKnown}`}`}
        </span>
      </span>
      <SeverityCounts run={run} />
      <StandingChip state={state} end={end} />
    </a>
  );
}

function SeverityCounts({ run: { findings, outcome } }: { readonly run: RunSummary }): ReactElement | null {
  const words = useWords(startWords);
  if (findings === null || findings === undefined) return null;
  if (sumOf(findings) === 0)
    return (
      <span className="quiet">{outcome === 'findings' ? words.besideTheChange : words.nothingFound}</span>
    );
  return (
    <span className="severity-counts">
      {severities
        .filter((severity) => findings[severity] > 0)
        .map((severity) => (
          <SeverityMark key={severity} severity={severity}>
            {words.found(findings[severity], severity)}
          </SeverityMark>
        ))}
    </span>
  );
}

function sumOf({ critical, important, minor }: Readonly<Record<Severity, number>>): number {
  return critical + important + minor;
}
