import type { ReactElement } from 'react';
import { Banner } from '../design/banner.tsx';
import { Button } from '../design/button.tsx';
import { useServer } from '../server/server-context.tsx';
import { useWords } from '../words/language.tsx';
import { shellWords } from '../words/shell-words.ts';

/** The one notice about a lost server: what is kept, and the way back. */
export function AwayNotice(): ReactElement | null {
  const words = useWords(shellWords);
  const { isAway, reconnect } = useServer();
  if (!isAway) return null;
  return (
    <Banner
      tone="red"
      role="alert"
      className="away"
      action={<Button onClick={reconnect}>{words.reconnect}</Button>}
    >
      <strong>{words.away}</strong> {words.awayWhy}
    </Banner>
  );
}
