import type { ReactElement } from 'react';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import { shownEnd } from './shown-end.ts';
import type { Standing } from './standing-of.ts';

/** Shows the status of a run in a word: its outcome, if it has ended. */
export function StandingChip({ state, end }: Pick<Standing, 'state' | 'end'>): ReactElement | null {
  const words = useWords(runWords);
  if (end !== null) {
    const { word, tone } = shownEnd(end, words);
    return <strong className={`chip ${tone}`}>{word}</strong>;
  }
  return state === null ? null : <strong className={`chip ${state}`}>{words.states[state]}</strong>;
}
