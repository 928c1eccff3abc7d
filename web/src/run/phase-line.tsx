import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import { classNames } from '../design/class-names.ts';
import { Icon } from '../design/icon.tsx';
import { done, warning } from '../design/icons.ts';
import type { Tone } from '../design/tone.ts';
import type { PhaseState } from '../run-state.ts';
import { sentenceCase } from '../words/sentence-case.ts';
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
            className={isNow ? 'now' : classNames('past', toneOf(ended?.result ?? ''))}
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

const findingsLeft = /^(no|\d+) (critical|open) findings?$/;

function toneOf(result: string): Tone | undefined {
  if (result === 'settled' || result.startsWith('no ')) return 'good';
  return findingsLeft.test(result) ? 'orange' : undefined;
}

function PhaseResult({ result }: { readonly result: string }): ReactElement {
  const tone = toneOf(result);
  return (
    <>
      {tone !== undefined && <Icon of={tone === 'good' ? done : warning} />} <ResultWords result={result} />
    </>
  );
}

/** A sentence of the server that is not known is English: in another language it is shown behind a word of that language. */
function ResultWords({ result }: { readonly result: string }): ReactElement {
  const words = useWords(runWords);
  const { language } = useLanguage();
  const sentence = neutralise(result);
  if (language === 'en') return <>{sentenceCase(sentence)}</>;
  if (result === 'settled') return <>{words.exchangeOutcome.settled}</>;
  const [, number, kind] = findingsLeft.exec(result) ?? [];
  if (number !== undefined)
    return <>{words.findingsLeft(kind === 'critical', number === 'no' ? '0' : number)}</>;
  return (
    <>
      {words.states.ended} (<span lang="en">{sentence}</span>)
    </>
  );
}
