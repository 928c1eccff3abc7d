import type { CollabEvent, Usage } from './collab-event.ts';
import { countTokens } from './tokens.ts';

/** Counts every model call once: a turn's own usage counts only if none of its calls reported any. */
export function createModelCalls() {
  const reported = new Set<string>();

  return {
    /** Returns the usage of a model call that this event reports, or null if it reports none. */
    in(event: CollabEvent): Usage | null {
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

/** Returns the context size of the agent's next turn: input, cache and output of its last call (B.5, X002-4). */
export function contextAfter(usage: Usage): number {
  return countTokens(usage);
}
