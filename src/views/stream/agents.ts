import type { ToolStatus } from './event.ts';
import { preview } from '../../text/preview.ts';
import { spokenUnder, type Saying, type SpeakerId } from './pending-event.ts';

export interface StartedAgent {
  readonly agent_id: string;
  readonly agent_type: string;
  readonly description: string;
  readonly model?: string | undefined;
}

/** `speaker` is the agent that started it; absent for the main agent's agents (X002-18). */
export function agentStart(agent: StartedAgent, speaker: SpeakerId): Saying {
  const { agent_id, agent_type, description, model } = agent;
  return (base) => ({
    event: 'subagent_start',
    data: {
      ...base,
      agent_id,
      agent_type,
      description,
      ...(model === undefined ? {} : { model }),
      ...spokenUnder(speaker),
    },
  });
}

export function agentEnd(
  { agent_id, agent_type }: StartedAgent,
  { status, text, speaker }: { status: ToolStatus; text: string | undefined; speaker: SpeakerId },
): Saying {
  return (base) => ({
    event: 'subagent_end',
    data: {
      ...base,
      agent_id,
      agent_type,
      status,
      ...(text === undefined ? {} : { result_preview: preview(text) }),
      ...spokenUnder(speaker),
    },
  });
}
