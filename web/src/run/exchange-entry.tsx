import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { ExchangeState } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { ExchangeStanding } from './exchange-card.tsx';
import { runWords } from './run-words.ts';

/** Shows an exchange in the timeline: its tag, its attempts in one line each, and the reverse requests. */
export function ExchangeEntry({ exchange }: { readonly exchange: ExchangeState }): ReactElement {
  const words = useWords(runWords);
  const { tag, attempts, reverse } = exchange;
  return (
    <div className="exchange">
      <p>
        <code>{tag}</code> <ExchangeStanding exchange={exchange} />
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
          {words.askedBack} <code>{asked}</code>{' '}
          <span className="quiet">
            {answer === null ? words.waitsForAnswer : words.answeredBack[answer.by]}
          </span>
        </p>
      ))}
    </div>
  );
}
