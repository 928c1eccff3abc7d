import type { ReactElement } from 'react';
import { Badge } from '../design/badge.tsx';
import type { Tone } from '../design/tone.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import { shownEnd } from './shown-end.ts';
import type { Standing } from './standing-of.ts';

/** Shows the status of a run in a word: its outcome, if it has ended. */
export function StandingChip({ state, end }: Pick<Standing, 'state' | 'end'>): ReactElement | null {
  const words = useWords(runWords);
  if (end !== null) {
    const { word, tone } = shownEnd(end, words);
    return <Badge tone={tone}>{word}</Badge>;
  }
  return state === null ? null : <Badge tone={stateTones[state]}>{words.states[state]}</Badge>;
}

const stateTones: Readonly<Record<NonNullable<Standing['state']>, Tone>> = {
  running: 'active',
  waiting: 'yellow',
  interrupted: 'yellow',
  ended: 'neutral',
};
