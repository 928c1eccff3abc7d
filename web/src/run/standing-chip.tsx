import type { ReactElement } from 'react';
import { useWords } from '../words/language.tsx';
import { endWord } from './end-word.ts';
import { runWords } from './run-words.ts';
import type { Standing } from './standing-of.ts';

/** How a run stands, in a word: what it came to, where it has ended. */
export function StandingChip({ state, end }: Pick<Standing, 'state' | 'end'>): ReactElement | null {
  const words = useWords(runWords);
  if (end !== null) {
    const { outcome, status } = end;
    const isPlain = outcome === null || status === 'cancelled';
    const tone = isPlain ? (status === 'success' ? 'ended' : 'bad') : outcome;
    return <strong className={`chip ${tone}`}>{endWord(end, words)}</strong>;
  }
  return state === null ? null : <strong className={`chip ${state}`}>{words.states[state]}</strong>;
}
