import type { CollabEvent } from '../../events/collab-event.ts';

/** The agent in the middle of a text, and its step. */
interface Holder {
  readonly owner: string;
  readonly step: string | undefined;
}

/**
 * Orders the events of agents that work in parallel for one screen: an agent in the middle of a text keeps the floor
 * until that text ends; the events of others follow then, in their own order. Depends on the events alone.
 */
export function createModerator() {
  let holder: Holder | null = null;
  let waiting: CollabEvent[] = [];

  function push(event: CollabEvent): readonly CollabEvent[] {
    if (event.type === 'run.ended') return [...end(), event];
    if (event.type === 'step.abandoned') return abandon(event);
    if (holder !== null && holder.owner !== ownerOf(event)) {
      waiting.push(event);
      return [];
    }
    if (event.type === 'text.start' || event.type === 'text.delta') {
      holder = { owner: ownerOf(event), step: event.step };
    } else if (endsText.has(event.type)) holder = null;
    return holder === null ? [event, ...drain()] : [event];
  }

  /** Drops the held events of a lost attempt. */
  function abandon(event: CollabEvent & { type: 'step.abandoned' }): readonly CollabEvent[] {
    waiting = waiting.filter(({ step }) => step !== event.step);
    if (holder?.step !== event.step) return [event];
    holder = null;
    return [event, ...drain()];
  }

  function drain(): readonly CollabEvent[] {
    const held = waiting;
    waiting = [];
    return held.flatMap(push);
  }

  function end(): readonly CollabEvent[] {
    const shown: CollabEvent[] = [];
    while (waiting.length > 0) {
      holder = null;
      shown.push(...drain());
    }
    holder = null;
    return shown;
  }

  return {
    /** Returns the events that may be shown now, in order. */
    push,
    /** Returns all events still held back. */
    end,
  };
}

/** The speaker's next event also ends a text that never got its own end. */
const endsText: ReadonlySet<CollabEvent['type']> = new Set([
  'text.end',
  'tool.call',
  'turn.ended',
  'exchange.received',
  'exchange.rejected',
  'exchange.ended',
  'agent.ended',
]);

function ownerOf(event: CollabEvent): string {
  return JSON.stringify([event.step, event.parent_agent_id, event.agent.id, event.exchange_id]);
}
