import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { Activity } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import { SpeakerName } from './speaker-name.tsx';

interface NowLineProps {
  readonly activities: readonly Activity[];
  readonly isOver: boolean;
}

/** Who is at what at this moment. */
export const NowLine = memo(function NowLine({ activities, isOver }: NowLineProps): ReactElement | null {
  const words = useWords(runWords);
  if (isOver) return null;
  return (
    <section className="now" aria-label={words.now}>
      {activities.length === 0 && <span className="quiet">{words.nobody}</span>}
      <ul>
        {activities.map(({ key, speaker, doing, tool }) => (
          <li key={key}>
            <SpeakerName speaker={speaker} /> {tool === null ? words.doing[doing] : neutralise(tool)}
          </li>
        ))}
      </ul>
    </section>
  );
});
