import type { CollabEvent, Usage } from './collab-event.ts';
import { countTokens } from './tokens.ts';

export interface ModelCalls {
  /** What a model call took that this event tells of; null where it tells of none. */
  in(event: CollabEvent): Usage | null;
}

/** Counts every model call once: a turn's own usage counts only where none of its calls reported any. */
export function createModelCalls(): ModelCalls {
  const reported = new Set<string>();

  return {
    in(event) {
      const speaker = `${event.agent.id} ${event.exchange_id ?? ''}`;
      if (event.type === 'usage') {
        reported.add(speaker);
        return event;
      }
      if (event.type !== 'turn.ended') return null;
      return reported.delete(speaker) ? null : event.usage;
    },
  };
}

/** The context of the agent's next turn: input, cache and output of its last call (B.5, X002-4). */
export function contextAfter(usage: Usage): number {
  return countTokens(usage);
}
