import type { ReactElement } from 'react';
import { neutralise } from '../../../src/client/run-events.ts';
import type { StreamingState } from '../../../src/client/streaming-state.ts';
import { linkTo } from '../route.ts';
import { useWords } from '../words/language.tsx';
import { talkWords } from './talk-words.ts';

export interface BannerProps {
  readonly streaming: Pick<StreamingState, 'contextStatus'>;
  readonly isBlocked: boolean;
}

/** How full the context is, in the colours of specification 002, and the way out where it is full (R002-31, R002-32, R002-40). */
export function ContextBanner({ streaming: { contextStatus }, isBlocked }: BannerProps): ReactElement | null {
  const words = useWords(talkWords);
  const level = isBlocked ? 'blocked' : (contextStatus?.warningLevel ?? 'normal');
  if (level === 'normal') return null;
  return (
    <div className={`banner ${colours[level]}`} role={isBlocked ? 'alert' : 'status'}>
      <p>
        {isBlocked && (
          <strong>
            {words.startNewChat} {words.readOnly}
          </strong>
        )}
        {!isBlocked && neutralise(contextStatus?.message ?? '')}{' '}
        {contextStatus !== null && <span>{words.filled(String(contextStatus.usagePercent))}</span>}
      </p>
      <a className={isBlocked ? 'button primary' : 'button'} href={linkTo({ kind: 'new', what: 'talk' })}>
        {words.newChat}
      </a>
    </div>
  );
}

const colours = { warning: 'yellow', critical: 'orange', blocked: 'red' } as const;
