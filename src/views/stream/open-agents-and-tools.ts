import type { CollabEventOf } from '../../events/collab-event.ts';
import type { ToolStatus } from './event.ts';
import { agentEnd, agentStart, type StartedAgent } from './agents.ts';
import type { Saying, SpeakerId } from './pending-event.ts';
import { contentOf, toolCall, toolProgress, toolResult } from './tools.ts';
import type { StreamingWords } from './phrases.ts';

interface Within {
  /** The agent that started it. */
  readonly speaker: SpeakerId;
  readonly step: string | undefined;
}

interface Outcome {
  readonly status: ToolStatus;
  readonly text?: string | undefined;
}

interface Opening extends Within {
  /** The agent whose own openings end with it. */
  readonly agentId?: string;
  end(outcome: Outcome): readonly Saying[];
}

/** Tracks the running tools and sub-agents: each of them gets its end, the inner before the outer. */
export function createStreamingOpenings(words: StreamingWords) {
  /** In the order of opening. */
  const openings = new Map<string, Opening>();
  const accepted = new Map<string, Saying>();

  function close(key: string, outcome: Outcome): readonly Saying[] {
    const opening = openings.get(key);
    if (opening === undefined) return [];
    openings.delete(key);
    const { agentId } = opening;
    const within = agentId === undefined ? [] : closeWhere(({ speaker }) => speaker === agentId);
    return [...within, ...opening.end(outcome)];
  }

  function closeWhere(chosen: (opening: Opening) => boolean): readonly Saying[] {
    const keys = [...openings].filter(([, opening]) => chosen(opening)).map(([key]) => key);
    return keys.toReversed().flatMap((key) => close(key, { status: 'error' }));
  }

  function run(callId: string): readonly Saying[] {
    const running = accepted.get(callId);
    accepted.delete(callId);
    return running === undefined ? [] : [running];
  }

  return {
    call(call: CollabEventOf<'tool.call'>, speaker: SpeakerId): readonly Saying[] {
      const { call_id: callId, step } = call;
      if (openings.has(toolKey(callId))) return [];
      const progress = (status: ToolStatus | 'pending' | 'running') =>
        toolProgress(call, status, { speaker, words });
      accepted.set(callId, progress('running'));
      openings.set(toolKey(callId), {
        speaker,
        step,
        end: ({ status, text = words.interrupted }) => [
          ...run(callId),
          progress(status),
          toolResult(call, { status, text, speaker }),
        ],
      });
      return [progress('pending'), toolCall(call, { speaker, words })];
    },
    /** Announces a running call, once. */
    run,
    answer(result: CollabEventOf<'tool.result'>): readonly Saying[] {
      const id = result.call_id;
      const outcome: Outcome = { status: result.is_error ? 'error' : 'completed', text: contentOf(result) };
      // An agent started by a call has the call's id (R002-24) and ends before it (X002-18).
      return openings.has(toolKey(id))
        ? [...close(agentKey(id), outcome), ...close(toolKey(id), outcome)]
        : [];
    },
    start(agent: StartedAgent, { speaker, step }: Within): readonly Saying[] {
      const key = agentKey(agent.agent_id);
      if (openings.has(key)) return [];
      const end = ({ status, text }: Outcome) => [agentEnd(agent, { status, text, speaker })];
      openings.set(key, { speaker, step, agentId: agent.agent_id, end });
      return [agentStart(agent, speaker)];
    },
    finish: (agentId: string, outcome: Outcome): readonly Saying[] => close(agentKey(agentId), outcome),
    /** Ends everything that the lost attempt of a step had opened. */
    abandon: (step: string): readonly Saying[] => closeWhere((opening) => opening.step === step),
    closeAll: (): readonly Saying[] => closeWhere(() => true),
  };
}

function toolKey(callId: string): string {
  return `tool ${callId}`;
}

function agentKey(agentId: string): string {
  return `agent ${agentId}`;
}
