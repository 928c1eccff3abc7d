import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../words/language.tsx';
import { talkWords } from './talk-words.ts';

interface MessageFrameProps {
  readonly role: 'user' | 'assistant' | 'system';
  readonly note?: string | null;
  readonly children: ReactNode;
}

/** Shows a message under the name of its speaker, the same while it arrives and when it is complete. */
export function MessageFrame({ role, note = null, children }: MessageFrameProps): ReactElement {
  const words = useWords(talkWords);
  const names = { user: words.you, assistant: words.assistant, system: words.system };
  return (
    <div className={`message ${role}`}>
      <p className="entry-head">
        <strong>{names[role]}</strong> {note !== null && <span className="quiet">{note}</span>}
      </p>
      {children}
    </div>
  );
}
