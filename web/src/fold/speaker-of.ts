import { agentName, createSpeakers, type CollabEvent } from '../../../src/client/run-events.ts';
import type { SpeakerState } from '../run-state.ts';

/** Returns the speaker of an event; one speaker is one object, so that a view can compare. */
export function createSpeakerFold(): (event: CollabEvent) => SpeakerState {
  const speakers = createSpeakers();
  const known = new Map<string, SpeakerState>();
  return (event) => {
    speakers.note(event);
    const { agent, parent_agent_id: parent } = event;
    const nested = speakers.of(event);
    const speaker: SpeakerState = {
      id: nested?.id ?? agent.id,
      role: parent === undefined ? agent.role : 'sub',
      name: nested?.name ?? agentName(agent.provider),
      model: nested?.model ?? agent.model ?? null,
      depth: nested?.depth ?? 0,
    };
    const key = Object.values(speaker).join('\n');
    const same = known.get(key);
    if (same === undefined) known.set(key, speaker);
    return same ?? speaker;
  };
}
