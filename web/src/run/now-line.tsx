import { memo, type ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { Activity } from '../run-state.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';
import { SpeakerName } from './speaker-name.tsx';
import type { Standing } from './standing-of.ts';

interface NowLineProps {
  readonly activities: readonly Activity[];
  readonly state: Standing['state'];
  /** The command that resumes a stopped run; null if it cannot be resumed. */
  readonly command: string | null;
}

/** Shows what each agent is doing now; if no agent is at work, the reason and how to continue. */
export const NowLine = memo(function NowLine({
  activities,
  state,
  command,
}: NowLineProps): ReactElement | null {
  const words = useWords(runWords);
  if (state === 'ended' && command === null) return null;
  // Work in progress has stopped if its process ended.
  const isStill = state === 'ended' || state === 'interrupted' || activities.length === 0;
  return (
    <section className="now" aria-label={words.now}>
      {isStill && state !== null && <p className="quiet">{words.still[state]}</p>}
      {command !== null && (
        <p className="quiet">
          {words.goOn} <code>{command}</code>
        </p>
      )}
      {!isStill && <Activities activities={activities} />}
    </section>
  );
});

function Activities({ activities }: Pick<NowLineProps, 'activities'>): ReactElement {
  const words = useWords(runWords);
  return (
    <ul>
      {activities.map(({ key, speaker, doing, tool }) => (
        <li key={key}>
          <SpeakerName speaker={speaker} /> {tool === null ? words.doing[doing] : neutralise(tool)}
        </li>
      ))}
    </ul>
  );
}
