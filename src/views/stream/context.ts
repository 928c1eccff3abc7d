import type { ContextStatusEventData, WarningLevel } from './event.ts';
import type { StreamingWords } from './phrases.ts';

export interface ContextSize {
  readonly tokens: number;
  readonly max: number;
}

/** Reports how full the main agent's context is (R002-29, R002-30). */
export function contextStatus(
  { tokens, max }: ContextSize,
  words: StreamingWords,
): Omit<ContextStatusEventData, 'seq' | 'timestamp'> {
  const level = warningLevel({ tokens, max });
  const message = words.warning(level);
  return {
    current_context_tokens: tokens,
    max_context_tokens: max,
    usage_percent: Math.floor((tokens * 1000) / max) / 10,
    warning_level: level,
    can_continue: level !== 'blocked',
    ...(message === null ? {} : { message }),
    recommended_action: level === 'normal' ? null : 'new_chat',
  };
}

/** Computes with integers: a rounded share would show the next level too early (X002-3). */
function warningLevel({ tokens, max }: ContextSize): WarningLevel {
  const hundredfold = tokens * 100;
  if (hundredfold >= 95 * max) return 'blocked';
  if (hundredfold >= 85 * max) return 'critical';
  return hundredfold >= 70 * max ? 'warning' : 'normal';
}
