import type { BaseEventData, StreamingEvent } from './event.ts';

/** An event that has no number yet. */
export type Saying = (base: BaseEventData) => StreamingEvent;

/** The speaker: the id of a sub-agent; undefined for the main agent, whose events name none (R002-24). */
export type SpeakerId = string | undefined;

export function spokenUnder(speaker: SpeakerId): { parent_agent_id?: string } {
  return speaker === undefined ? {} : { parent_agent_id: speaker };
}
