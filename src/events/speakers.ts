import type { CollabEvent, EventAgent } from './collab-event.ts';

/** An advisor or sub-agent. `depth` is 1 for an agent that the session's own agent works with, 2 for one below it. */
export interface SpeakingAgent {
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly session_id?: string;
  readonly model?: string;
}

/** The names of a pair's agents, as the introduction of a run gives them. */
export type AgentNames = Readonly<Partial<Record<EventAgent['role'], string>>>;

interface Known {
  readonly depth: number;
  readonly name?: string;
  readonly model?: string;
}

/**
 * Tracks how deep each agent is below the session's own agent. An agent with the same role as that one is another of its
 * sessions (the chunks of a review without a lead), not a nested agent (X000-10).
 */
export function createSpeakers() {
  let main: EventAgent | null = null;
  const nested = new Map<string, Known>();
  const sessions = new Map<string, string>();

  function depthOf(event: CollabEvent): number {
    const own = main ?? event.agent;
    const parent = event.parent_agent_id;
    if (parent !== undefined) {
      const parentDepth = parent === own.id ? 0 : (nested.get(parent)?.depth ?? 1);
      const saidByParent = parent === event.agent.id || (event.agent.id === own.id && parent !== own.id);
      return saidByParent ? Math.max(parentDepth, 1) : parentDepth + 1;
    }
    if (event.agent.id === own.id || event.agent.role === own.role) return 0;
    return nested.get(event.agent.id)?.depth ?? 1;
  }

  return {
    /** Records names, sessions and nesting from an event. */
    note(event: CollabEvent): void {
      main ??= event.agent;
      if (event.type === 'session.bound') sessions.set(idOf(event), event.provider_session_id);
      if (event.type === 'step.bound') sessions.set(idOf(event), event.session_id);
      if (event.type !== 'agent.started') return;
      nested.set(event.agent_id, {
        depth: depthOf(event) + 1,
        name: event.agent_type,
        ...(event.model === undefined ? {} : { model: event.model }),
      });
    },
    /** Returns the agent that speaks in this event, or null for the session's own agent. */
    of(event: CollabEvent): SpeakingAgent | null {
      const depth = depthOf(event);
      if (depth === 0) return null;
      const id = idOf(event);
      const known = nested.get(id);
      const model = known?.model ?? event.agent.model;
      const session = sessions.get(id);
      return {
        id,
        name: known?.name ?? agentName(event.agent.provider),
        depth,
        ...(session === undefined ? {} : { session_id: session }),
        ...(model === undefined ? {} : { model }),
      };
    },
  };

  /** A sub-agent's events may carry its own id as the parent (R002-24), or may be reported under the own agent's name. */
  function idOf(event: CollabEvent): string {
    const own = main ?? event.agent;
    return event.parent_agent_id !== undefined && event.agent.id === own.id
      ? event.parent_agent_id
      : event.agent.id;
  }
}

/** Returns a provider's name as screens show it; any other name is returned unchanged. */
export function agentName(provider: string): string {
  return agentNames.get(provider) ?? provider;
}

const agentNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    codex: 'Codex',
    claude_code: 'Claude Code',
    anthropic: 'Claude',
    openai: 'OpenAI',
    gemini: 'Gemini',
    static_review: 'Static review',
    rehearsal: 'Rehearsal',
    caller: 'Claude Code',
    user: 'You',
  }),
);
