import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { ExchangeState } from '../run-state.ts';
import { TagWords } from '../markdown/tag-words.tsx';
import { useWords } from '../words/language.tsx';
import { ExchangeStanding } from './exchange-card.tsx';
import { runWords } from './run-words.ts';

/** Shows an exchange in the timeline: what is asked, its attempts in one line each, and the reverse requests. */
export function ExchangeEntry({ exchange }: { readonly exchange: ExchangeState }): ReactElement {
  const words = useWords(runWords);
  const { tag, attempts, reverse } = exchange;
  return (
    <div className="exchange">
      <p>
        <strong>
          <TagWords tag={tag} />
        </strong>{' '}
        <ExchangeStanding exchange={exchange} />
      </p>
      <ol className="attempts" aria-label={words.attempts}>
        {attempts.map(({ number, rejected, received }) => (
          <li key={number}>
            {words.attempt(number)}:{' '}
            {rejected !== null && (
              <span className="rejected">
                {words.rejected[rejected.reason]}: {neutralise(rejected.detail)} →{' '}
                {words.action[rejected.action]}
              </span>
            )}
            {received !== null && <span className="received">{words.received}</span>}
            {rejected === null && received === null && <span className="quiet">{words.noAnswerYet}</span>}
          </li>
        ))}
      </ol>
      {reverse.map(({ tag: asked, answer }, index) => (
        // Reverse requests keep their places.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={index}>
          <TagWords tag={asked} />{' '}
          <span className="quiet">
            {answer === null ? words.waitsForAnswer : words.answeredBack[answer.by]}
          </span>
        </p>
      ))}
    </div>
  );
}
