import type { ReactElement } from 'react';
import type { ReviewResult } from '../../../src/client/run-events.ts';
import { PathText } from '../design/path-text.tsx';
import { reasonsOf } from '../review/outcome-tone.ts';
import { linkTo, type Route } from '../route.ts';
import type { RunState } from '../run-state.ts';
import { useFormat } from '../words/format.ts';
import { useTitle } from '../words/use-title.ts';
import { useWords } from '../words/language.tsx';
import { CancelButton } from './cancel-button.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { ReasonText } from '../words/reason-text.tsx';
import { shellWords } from '../words/shell-words.ts';
import { runWords } from './run-words.ts';
import { StandingChip } from './standing-chip.tsx';
import type { UsedRun } from './use-run.ts';

interface HeaderProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  readonly used: UsedRun;
  /** The tab below explains the outcome. */
  readonly isExplainedBelow: boolean;
}

/** Id of the line with the run's status. */
export const standingId = 'run-standing';

/** Shows the run's name, its status, its outcome, and the button to end it. */
export function RunHeader({ route, used, isExplainedBelow }: HeaderProps): ReactElement {
  const words = useWords(runWords);
  const { notKnown } = useWords(shellWords);
  const format = useFormat();
  const { run, detail, standing, connection, follow } = used;
  const summary = detail.value;
  const titleOf = useTitle();
  const title =
    titleOf({ title: run.title ?? summary?.title ?? null, subject: summary?.subject }) || route.run;
  const spent = run.usage.total;
  return (
    <header className="run-head">
      <div className="row run-place">
        <a href={linkTo({ kind: 'conversation', conversation: route.conversation })}>
          {words.toConversation}
        </a>
        {standing.state !== null && standing.end === null && (
          <CancelButton route={route} onCancelled={detail.reload} />
        )}
      </div>
      <h1>
        <PathText text={title} />
      </h1>
      <p className="facts" id={standingId}>
        {summary !== null && <span>{words.kinds[summary.kind]}</span>}
        <StandingChip {...standing} />
        {run.startedAt !== null && <span className="quiet">{format.moment(run.startedAt)}</span>}
        {run.end !== null && <span className="quiet">{format.duration(run.end.durationMs)}</span>}
        {spent.calls > 0 && (
          <span className="quiet">
            {words.cost}: {spent.costUsd === null ? notKnown : format.usd(spent.costUsd)}
          </span>
        )}
        <ConnectionLine connection={connection} onReconnect={follow} />
      </p>
      {!isExplainedBelow && standing.end !== null && (
        <EndReasons
          run={run}
          result={summary?.result ?? null}
          isComing={run.end === null && run.lastSeq < (summary?.last_seq ?? 0)}
        />
      )}
    </header>
  );
}

/** Shows the reasons for every outcome. */
function EndReasons({
  run: { end },
  result,
  isComing,
}: {
  readonly run: RunState;
  /** The result of a failed run; no event has its reasons. */
  readonly result: ReviewResult | null;
  /** The event that ended it is not here yet: its reasons have their place, so that nothing moves when they arrive. */
  readonly isComing: boolean;
}): ReactElement | null {
  const words = useWords(runWords);
  const told = end === null ? (result === null ? [] : reasonsOf(result)) : [...end.reasons, ...end.errors];
  if (told.length === 0) return isComing ? <div className="reasons" /> : null;
  return (
    <ul className="reasons" aria-label={words.reasons}>
      {told.map((reason) => (
        <li key={reason}>
          <ReasonText reason={reason} />
        </li>
      ))}
    </ul>
  );
}
