import { useMemo, type ReactElement } from 'react';
import type { Entry, RunState } from '../run-state.ts';
import { VirtualList } from '../virtual-list.tsx';
import { useWords } from '../words/language.tsx';
import { EntryView, type EntrySurroundings } from './entry-view.tsx';
import { runWords } from './run-words.ts';
import { useFollow } from './use-follow.ts';

interface EntryListProps {
  readonly run: RunState;
  /** More may come. */
  readonly isLive: boolean;
}

/** Everything that was said and done. */
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
  if (entries.length === 0) return <p className="quiet">{words.empty}</p>;

  /** Of the rest of the run only what this entry shows, so that it is drawn anew only when that changes. */
  const surroundingsOf = (entry: Entry): EntrySurroundings => ({
    exchange: entry.kind === 'exchange' ? (exchangeOf.get(entry.exchangeId ?? '') ?? null) : null,
    question: entry.kind === 'question' ? (questions[entry.question] ?? null) : null,
    plan: entry.kind === 'review' ? (run.reviews[entry.review]?.plan ?? null) : null,
  });

  /** An exchange that was lost with its step. */
  const isVoid = ({ kind, exchangeId }: Entry) => kind === 'exchange' && !exchangeOf.has(exchangeId ?? '');

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
        <button type="button" className="to-newest primary" onClick={follow}>
          {words.toNewest}
        </button>
      )}
    </>
  );
}

/** The same speaker goes on: the name is not said again. */
function isContinued(entry: Entry, before: Entry | undefined): boolean {
  return (
    before !== undefined &&
    before.kind !== 'phase' &&
    before.speaker === entry.speaker &&
    before.exchangeId === entry.exchangeId
  );
}
