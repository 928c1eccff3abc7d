import type { ReactElement } from 'react';
import type { RunState } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';

/** For who listens: the turns of the run, not its words. */
export function Announcer({ run }: { readonly run: RunState }): ReactElement {
  const words = useWords(runWords);
  return (
    <p className="for-listeners" role="status">
      {announcement(run, words)}
    </p>
  );
}

type RunWords = (typeof runWords)['en'];

function announcement({ end, questions, phases }: RunState, words: RunWords): string {
  if (end !== null)
    return words.said.ended(end.outcome === null ? words.statuses[end.status] : words.outcomes[end.outcome]);
  if (questions.some(({ answer }) => answer === null)) return words.said.question;
  const phase = phases.at(-1);
  return phase === undefined
    ? ''
    : words.said.phase(words.phaseBegins(words.phase[phase.phase], phase.round));
}
