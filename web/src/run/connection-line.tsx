import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../words/language.tsx';
import type { StreamConnection } from './run-store.ts';
import { runWords } from './run-words.ts';

export function ConnectionLine({
  connection,
  onReconnect,
}: {
  readonly connection: StreamConnection;
  readonly onReconnect: () => void;
}): ReactElement {
  const words = useWords(runWords);
  return (
    <span className={`connection ${connection}`} role="status">
      {words.connection[connection]}
      {connection === 'lost' && (
        <Button size="small" onClick={onReconnect}>
          {words.reconnect}
        </Button>
      )}
    </span>
  );
}
