import type { ReactElement } from 'react';
import { useServer } from '../server/server-context.tsx';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';

/** The one notice about a lost server: what is kept, and the way back. */
export function AwayNotice(): ReactElement | null {
  const words = useWords(shellWords);
  const { isAway, reconnect } = useServer();
  if (!isAway) return null;
  return (
    <div className="notice bad away" role="alert">
      <strong>{words.away}</strong> {words.awayWhy}
      <button type="button" onClick={reconnect}>
        {words.reconnect}
      </button>
    </div>
  );
}
