import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { Badge } from '../design/badge.tsx';
import { Card } from '../design/card.tsx';
import { Fold } from '../design/fold.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { TagWords } from '../markdown/tag-words.tsx';
import type { AttemptState, ExchangeState, ReverseState } from '../run-state.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/language.tsx';
import { PromptFold, type RunAddress } from './prompt-fold.tsx';
import { runWords } from './run-words.ts';

interface ExchangeCardProps {
  readonly exchange: ExchangeState;
  readonly address: RunAddress;
}

/** Shows one request with its attempts: missing parts, corrections, reverse requests, and its result. */
export const ExchangeCard = memo(function ExchangeCard({
  exchange,
  address,
}: ExchangeCardProps): ReactElement {
  const words = useWords(runWords);
  const { tag, question, attempts, reverse } = exchange;
  return (
    <Card tone="neutral" className="exchange">
      <h2>
        <TagWords tag={tag} /> <code className="quiet">{tag}</code> <ExchangeStanding exchange={exchange} />
      </h2>
      {question !== null && (
        <Fold id={`${exchange.id} question`} head={words.asked}>
          <Markdown text={question} />
        </Fold>
      )}
      <ol className="attempts" aria-label={words.attempts}>
        {attempts.map((attempt) => (
          <Attempt key={attempt.number} exchangeId={exchange.id} {...{ attempt, address }} />
        ))}
      </ol>
      {reverse.map((asked, index) => (
        // Reverse requests keep their places.
        // oxlint-disable-next-line react/no-array-index-key
        <Reverse key={index} asked={asked} />
      ))}
    </Card>
  );
});

export function ExchangeStanding({
  exchange: { outcome },
}: {
  readonly exchange: ExchangeState;
}): ReactElement {
  const words = useWords(runWords);
  if (outcome === null) return <Badge tone="active">{words.underWay}</Badge>;
  return <Badge tone={outcome === 'settled' ? 'neutral' : 'red'}>{words.exchangeOutcome[outcome]}</Badge>;
}

function Attempt({
  attempt,
  exchangeId,
  address,
}: {
  readonly attempt: AttemptState;
  readonly exchangeId: string;
  readonly address: RunAddress;
}): ReactElement {
  const words = useWords(runWords);
  const format = useFormat();
  const { number, prompts, cached, cacheFault, received, rejected } = attempt;
  const size = prompts.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <li className="attempt">
      <p>
        <strong>{words.attempt(number)}</strong>{' '}
        <span className="quiet">{cached === null && words.sentBytes(format.bytes(size))}</span>
      </p>
      {cached !== null && <p className="quiet">{words.cached(cached.run_id)}</p>}
      {cacheFault !== null && (
        <p className="quiet">
          {words.cacheFault} {neutralise(cacheFault)}
        </p>
      )}
      {rejected !== null && (
        <p className="rejected">
          <strong>{words.rejected[rejected.reason]}</strong> {neutralise(rejected.detail)}
          <span className="next"> → {words.action[rejected.action]}</span>
        </p>
      )}
      {received !== null && <Received received={received} id={`${exchangeId} ${number}`} />}
      {received === null && rejected === null && <p className="quiet">{words.noAnswerYet}</p>}
      {prompts.map(({ ref }) => (
        <PromptFold key={ref} digest={ref} address={address} />
      ))}
    </li>
  );
}

function Received({
  received,
  id,
}: {
  readonly received: NonNullable<AttemptState['received']>;
  readonly id: string;
}): ReactElement {
  const words = useWords(runWords);
  const { sections, issues, mergedFrom } = received;
  const facts = [
    words.received,
    ...(issues === null ? [] : [words.issues(issues)]),
    ...(mergedFrom.length === 0 ? [] : [words.mergedFrom(mergedFrom.join(' + '))]),
  ];
  return (
    <>
      <p className="received">{facts.join(' · ')}</p>
      <Fold id={`sections ${id}`} head={words.sections}>
        {Object.entries(sections).map(([name, text]) => (
          <section key={name}>
            <h3>{neutralise(name)}</h3>
            <Markdown text={text} />
          </section>
        ))}
      </Fold>
    </>
  );
}

function Reverse({ asked: { tag, text, answer } }: { readonly asked: ReverseState }): ReactElement {
  const words = useWords(runWords);
  return (
    <div className="reverse">
      <h3>
        {words.askedBack} <code>{tag}</code>
      </h3>
      <Markdown text={text} />
      {answer === null && <p className="quiet">{words.waitsForAnswer}</p>}
      {answer !== null && (
        <>
          <h3>{words.answeredBack[answer.by]}</h3>
          {answer.declined !== null && (
            <p>
              {words.declined} {neutralise(answer.declined)}
            </p>
          )}
          <Markdown text={answer.text} />
        </>
      )}
    </div>
  );
}
