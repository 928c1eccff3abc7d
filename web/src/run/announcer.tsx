import type { ReactElement } from 'react';
import type { RunState } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import { shownEnd } from './shown-end.ts';
import type { Standing } from './standing-of.ts';

interface AnnouncerProps {
  readonly run: Pick<RunState, 'questions' | 'phases'>;
  readonly standing: Standing;
}

/** Announces the turns of the run, not its words, to screen readers. */
export function Announcer({ run, standing }: AnnouncerProps): ReactElement {
  const words = useWords(runWords);
  return (
    <p className="for-listeners" role="status">
      {announcement(run, standing, words)}
    </p>
  );
}

type RunWords = (typeof runWords)['en'];

function announcement(
  { questions, phases }: AnnouncerProps['run'],
  { state, end }: Standing,
  words: RunWords,
): string {
  if (end !== null) return words.said.ended(shownEnd(end, words).word);
  if (state === 'interrupted') return words.states.interrupted;
  if (questions.some(({ answer }) => answer === null)) return words.said.question;
  const phase = phases.at(-1);
  return phase === undefined
    ? ''
    : words.said.phase(words.phaseBegins(words.phase[phase.phase], phase.round));
}
