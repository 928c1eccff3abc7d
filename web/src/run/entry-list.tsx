import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import type { Entry, RunState } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { EntryView, type EntrySurroundings } from './entry-view.tsx';
import { runWords } from './run-words.ts';
import { useFollow } from './use-follow.ts';

const likelyHeightPx = 96;

/** Everything that was said and done; of a long run only what is in sight is drawn. */
export function EntryList({ run }: { readonly run: RunState }): ReactElement {
  const words = useWords(runWords);
  const { entries } = run;
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = list.current?.getBoundingClientRect().top ?? 0;
    setTop(Math.round(place + scrollY));
  }, [run.phases, run.questions]);
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => likelyHeightPx,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.id ?? index,
  });
  const [isFollowing, setFollowing] = useFollow(run.end === null, run.lastSeq);
  if (entries.length === 0) return <p className="quiet">{words.empty}</p>;
  return (
    <>
      <ol
        className="entries"
        ref={list}
        aria-label={words.entries}
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index];
          return (
            entry !== undefined && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={entries.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <EntryView
                  entry={entry}
                  isContinued={isContinued(entry, entries[index - 1])}
                  {...partsOf(entry, run)}
                />
              </li>
            )
          );
        })}
      </ol>
      {!isFollowing && run.end === null && (
        <button type="button" className="to-newest primary" onClick={() => setFollowing(true)}>
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

/** Of the rest of the run only what this entry shows, so that it is drawn anew only when that changes. */
function partsOf(entry: Entry, { exchanges, questions, reviews }: RunState): EntrySurroundings {
  return {
    exchange:
      entry.kind === 'exchange' ? (exchanges.find(({ id }) => id === entry.exchangeId) ?? null) : null,
    question: entry.kind === 'question' ? (questions[entry.question] ?? null) : null,
    plan: entry.kind === 'review' ? (reviews[entry.review]?.plan ?? null) : null,
  };
}
