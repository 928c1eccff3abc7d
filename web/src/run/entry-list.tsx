import { useMemo, type ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/placeholder.tsx';
import { below } from '../design/icons.ts';
import type { TimelineEntry, RunState } from '../run-state.ts';
import { VirtualList } from '../virtual-list.tsx';
import { useWords } from '../words/language.tsx';
import { EntryView, type EntrySurroundings } from './entry-view.tsx';
import { runWords } from './run-words.ts';
import { useFollow } from './use-follow.ts';

interface EntryListProps {
  readonly run: RunState;
  /** More entries may follow. */
  readonly isLive: boolean;
}

/** Lists all entries of the run. */
export function EntryList({ run, isLive }: EntryListProps): ReactElement {
  const words = useWords(runWords);
  const { entries, exchanges, phases, questions } = run;
  const exchangeOf = useMemo(
    () => new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    [exchanges],
  );
  const above = useMemo(() => ({ phases, questions }), [phases, questions]);
  const { isBehind, follow } = useFollow({
    isLive,
    news: run.lastSeq,
    isAsked: questions.some(({ answer }) => answer === null),
  });
  if (entries.length === 0) return <Empty>{words.empty}</Empty>;

  /** Selects only the parts of the run that this entry shows, so that it is redrawn only when they change. */
  const surroundingsOf = (entry: TimelineEntry): EntrySurroundings => ({
    exchange: entry.kind === 'exchange' ? (exchangeOf.get(entry.exchangeId ?? '') ?? null) : null,
    question: entry.kind === 'question' ? (questions[entry.question] ?? null) : null,
    plan: entry.kind === 'review' ? (run.reviews[entry.review]?.plan ?? null) : null,
  });

  /** An exchange that was lost with its step. */
  const isVoid = ({ kind, exchangeId }: TimelineEntry) =>
    kind === 'exchange' && !exchangeOf.has(exchangeId ?? '');

  return (
    <>
      <VirtualList
        items={entries}
        keyOf={({ id }) => id}
        label={words.entries}
        likelyHeightPx={96}
        above={above}
        draw={(entry, before) =>
          isVoid(entry) ? null : (
            <EntryView entry={entry} isContinued={isContinued(entry, before)} {...surroundingsOf(entry)} />
          )
        }
      />
      {isBehind && (
        <Button kind="primary" icon={below} className="to-newest" onClick={follow}>
          {words.toNewest}
        </Button>
      )}
    </>
  );
}

/** Returns true if the same speaker continues: the name is not repeated. */
function isContinued(entry: TimelineEntry, before: TimelineEntry | undefined): boolean {
  return (
    before !== undefined &&
    before.kind !== 'phase' &&
    before.speaker === entry.speaker &&
    before.exchangeId === entry.exchangeId
  );
}
