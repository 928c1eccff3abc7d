import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { PhaseState } from '../run-state.ts';
import { useLanguage, useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';

interface PhaseLineProps {
  readonly phases: readonly PhaseState[];
  readonly isOver: boolean;
}

export const PhaseLine = memo(function PhaseLine({ phases, isOver }: PhaseLineProps): ReactElement | null {
  const words = useWords(runWords);
  if (phases.length === 0) return null;
  return (
    <ol className="phases" aria-label={words.phases}>
      {phases.map(({ phase, round, ended }) => {
        const isNow = ended === null && !isOver;
        return (
          <li
            key={`${phase} ${round}`}
            className={isNow ? 'now' : 'past'}
            aria-current={isNow ? 'step' : undefined}
          >
            <span>
              <strong>{words.phase[phase]}</strong>
              {round > 1 && ` ${words.round(round)}`}
            </span>
            <span className="quiet">
              {ended === null ? isNow && words.phaseGoesOn : <PhaseResult result={ended.result} />}
            </span>
          </li>
        );
      })}
    </ol>
  );
});

/** The server's sentence is English: in another language it is shown behind a word of that language. */
function PhaseResult({ result }: { readonly result: string }): ReactElement {
  const words = useWords(runWords);
  const { language } = useLanguage();
  const sentence = neutralise(result);
  if (language === 'en') return <>{sentence}</>;
  if (result === 'settled') return <>{words.exchangeOutcome.settled}</>;
  return (
    <>
      {words.states.ended} (<span lang="en">{sentence}</span>)
    </>
  );
}
