/** The parts of a turn that have begun and not ended. A turn that is stopped ends each of them once. */
import type { EventBody } from '../../events/collab-event.ts';

export function createOpenParts() {
  /** Maps each part to the event that ends it; null for a text block, whose end needs its text. */
  const open = new Map<string, EventBody | null>();
  return {
    /** Notes an event that is passed on. */
    note(event: EventBody): void {
      const begun = begunBy(event);
      if (begun !== null && !open.has(begun.key)) open.set(begun.key, begun.end);
      const ended = endedBy(event);
      if (ended !== null) open.delete(ended);
    },
    /** Returns true if the event ends an open part. */
    isEnd(event: EventBody): boolean {
      const ended = endedBy(event);
      return ended !== null && open.has(ended);
    },
    /** Returns the ends of all open parts but text blocks, the latest first. */
    ends: (): readonly EventBody[] => [...open.values()].filter((end) => end !== null).toReversed(),
  };
}

function begunBy(event: EventBody): { readonly key: string; readonly end: EventBody | null } | null {
  switch (event.type) {
    case 'text.start':
    case 'text.delta':
      return { key: `text ${event.block_id}`, end: null };
    case 'thinking.delta':
      return {
        key: `thinking ${event.block_id}`,
        end: { type: 'thinking.end', block_id: event.block_id },
      };
    case 'tool.call':
      return {
        key: `call ${event.call_id}`,
        end: {
          type: 'tool.result',
          call_id: event.call_id,
          name: event.name,
          content: 'collab stopped the turn',
          is_error: true,
          duration_ms: 0,
        },
      };
    case 'agent.started':
      return {
        key: `agent ${event.agent_id}`,
        end: { type: 'agent.ended', agent_id: event.agent_id, status: 'error' },
      };
    default:
      return null;
  }
}

function endedBy(event: EventBody): string | null {
  switch (event.type) {
    case 'text.end':
      return `text ${event.block_id}`;
    case 'thinking.end':
      return `thinking ${event.block_id}`;
    case 'tool.result':
      return `call ${event.call_id}`;
    case 'agent.ended':
      return `agent ${event.agent_id}`;
    default:
      return null;
  }
}
