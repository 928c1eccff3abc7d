import type { ReactElement } from 'react';
import type { ConversationDetail } from '../../../src/client/run-types.ts';
import type { StreamingState } from '../../../src/client/streaming-state.ts';
import { Banner } from '../design/banner.tsx';
import { ButtonLink } from '../design/button.tsx';
import { linkTo } from '../route.ts';
import { useWords } from '../words/language.tsx';
import { talkWords } from './talk-words.ts';

export interface BannerProps {
  readonly context: ConversationDetail['context'];
  readonly isBlocked: boolean;
}

/**
 * Shows how full the context is, in the colors of specification 002, and what to do when it is full (R002-31, R002-32,
 * R002-40).
 */
export function ContextBanner({ context, isBlocked }: BannerProps): ReactElement | null {
  const words = useWords(talkWords);
  const level = isBlocked ? 'blocked' : (context?.warning_level ?? 'normal');
  if (level === 'normal') return null;
  return (
    <Banner
      id={bannerId}
      tone={tones[level]}
      role={isBlocked ? 'alert' : 'status'}
      tabIndex={-1}
      action={
        <ButtonLink
          kind={isBlocked ? 'primary' : undefined}
          href={linkTo({ kind: 'new', what: 'conversation' })}
        >
          {words.newChat}
        </ButtonLink>
      }
    >
      {isBlocked ? <strong>{words.levels.blocked}</strong> : words.levels[level]}{' '}
      {context !== null && <span>{words.filled(String(context.usage_percent))}</span>}
    </Banner>
  );
}

export const bannerId = 'context-banner';

const tones = { warning: 'yellow', critical: 'orange', blocked: 'red' } as const;

/** Returns the server's data, and until it has arrived the stream's. */
export function contextOf(
  detail: Pick<ConversationDetail, 'context'> | null,
  { contextStatus: told }: Pick<StreamingState, 'contextStatus'>,
): ConversationDetail['context'] {
  if (detail !== null && detail.context !== null) return detail.context;
  return told === null ? null : { usage_percent: told.usagePercent, warning_level: told.warningLevel };
}
