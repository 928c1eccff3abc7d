import { memo, type ReactElement } from 'react';
import type { RunSummary } from '../../../src/client/run-types.ts';
import { PathText } from '../design/path-text.tsx';
import { linkTo } from '../route.ts';
import { runWords } from '../run/run-words.ts';
import { StandingChip } from '../run/standing-chip.tsx';
import { useFormat } from '../words/format.ts';
import { useTitle } from '../words/use-title.ts';
import { CostSum } from '../words/cost-sum.tsx';
import { useWords } from '../words/language.tsx';
import { talkWords } from './talk-words.ts';

interface RunListProps {
  readonly conversation: string;
  readonly runs: readonly RunSummary[];
}

/** Lists reviews, tasks and turns of a conversation, each with a link to all its events. */
export const RunList = memo(function RunList({ conversation, runs }: RunListProps): ReactElement | null {
  const words = useWords(talkWords);
  if (runs.length === 0) return null;
  return (
    <nav className="runs" aria-label={words.runs}>
      <h2>{words.runs}</h2>
      <ul>
        {runs.map((run) => (
          <li key={run.run_id}>
            <RunLink conversation={conversation} run={run} />
          </li>
        ))}
      </ul>
      <CostSum label={words.costs} runs={runs} />
    </nav>
  );
});

function RunLink({
  conversation,
  run,
}: {
  readonly conversation: string;
  readonly run: RunSummary;
}): ReactElement {
  const words = useWords(runWords);
  const format = useFormat();
  const titleOf = useTitle();
  const { run_id: id, kind, state, outcome, status, started_at: startedAt } = run;
  const end = state === 'ended' ? { outcome, status: status ?? 'error' } : null;
  return (
    <a href={linkTo({ kind: 'run', conversation, run: id, tab: null, finding: null })}>
      <span className="name">
        <PathText text={titleOf(run) || words.kinds[kind]} />
      </span>{' '}
      <StandingChip state={state} end={end} />{' '}
      <span className="quiet">
        {words.kinds[kind]}
        {startedAt !== null && ` · ${format.moment(startedAt)}`}
      </span>
    </a>
  );
}
