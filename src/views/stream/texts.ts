import type { CollabEventOf } from '../../events/collab-event.ts';

export function createStreamingTexts() {
  const begun = new Map<string, string | undefined>();

  return {
    /** Returns the text that an event adds; the end of a block that arrived in pieces adds nothing. */
    add(event: CollabEventOf<'text.delta'> | CollabEventOf<'text.end'>): string {
      const { step, exchange_id: exchange, agent, block_id: block, text } = event;
      const key = JSON.stringify([step, exchange, agent.id, block]);
      if (event.type === 'text.delta') {
        begun.set(key, step);
        return text;
      }
      return begun.delete(key) ? '' : text;
    },
    abandon(step: string): void {
      for (const [key, begunIn] of begun) if (begunIn === step) begun.delete(key);
    },
  };
}
