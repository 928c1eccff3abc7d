import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { SpeakerState } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';

export function SpeakerName({ speaker }: { readonly speaker: SpeakerState }): ReactElement {
  const words = useWords(runWords);
  return (
    <span className={`speaker ${speaker.role}`}>
      <strong>{neutralise(speaker.name)}</strong> <span className="quiet">{words.roles[speaker.role]}</span>
    </span>
  );
}
