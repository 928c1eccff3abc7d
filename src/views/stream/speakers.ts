import type { CollabEvent, CollabEventOf, EventAgent } from '../../events/collab-event.ts';
import { agentName, createSpeakers } from '../../events/speakers.ts';
import type { StartedAgent } from './agents.ts';
import type { SpeakerId } from './pending-event.ts';

/**
 * Makes each exchange a sub-agent of its own, under the exchange's id: exchanges run side by side, with one advisor
 * (X002-18).
 */
export function createStreamingSpeakers() {
  const speakers = createSpeakers();
  const advisors = new Map<string, string>();
  const announced = new Set<string>();

  function speakerOf(event: CollabEvent): SpeakerId {
    const { parent_agent_id: parent, exchange_id: exchange, agent } = event;
    if (parent !== undefined && announced.has(parent)) return parent;
    if (announced.has(agent.id)) return agent.id;
    if (exchange !== undefined && advisors.get(exchange) === agent.id) return exchange;
    return speakers.of(event)?.id;
  }

  return {
    /** Learns names and nesting from an event, and returns its speaker. */
    of(event: CollabEvent): SpeakerId {
      speakers.note(event);
      const speaker = speakerOf(event);
      if (event.type === 'agent.started') announced.add(event.agent_id);
      if (event.type !== 'exchange.sent' || event.exchange_id === undefined) return speaker;
      advisors.set(event.exchange_id, event.agent.id);
      announced.add(event.exchange_id);
      return event.exchange_id;
    },
    /** Returns the agent of a speaker that was never announced; null if it was. */
    introduce({ agent }: CollabEvent, speaker: SpeakerId): StartedAgent | null {
      if (speaker === undefined || announced.has(speaker)) return null;
      announced.add(speaker);
      return { agent_id: speaker, agent_type: agentType(agent), description: '', model: agent.model };
    },
  };
}

/** Returns the exchange as an agent that starts; its request is the purpose. */
export function exchangeAgent(event: CollabEventOf<'exchange.sent'>, speaker: string): StartedAgent {
  const { agent, question, tag } = event;
  return {
    agent_id: speaker,
    agent_type: agentType(agent),
    description: question ?? tag,
    model: agent.model,
  };
}

function agentType({ role, provider }: EventAgent): string {
  return role === 'advisor' ? 'Codex' : agentName(provider);
}
