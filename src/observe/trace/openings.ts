/** The records that open a span and those that close it, joined by a key. Calls are read by `callsOf`. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { SpanDetail } from './trace-span.ts';

export interface Opening {
  readonly key: string;
  readonly detail: SpanDetail;
}

export interface Closing {
  readonly key: string;
  readonly fault: string | null;
  /** The party that answered a question. */
  readonly answeredBy?: string;
}

/** Returns null for a record that opens no span. */
export function spanOpening(event: CollabEvent): Opening | null {
  switch (event.type) {
    case 'phase.started': {
      const { phase, round } = event;
      return { key: phaseKey(phase, round), detail: { kind: 'phase', phase, round } };
    }
    case 'step.begun': {
      const { step, attempt } = event;
      return { key: stepKey(step), detail: { kind: 'step', step, attempt } };
    }
    case 'agent.started': {
      const { agent_id, agent_type: type, agent } = event;
      return { key: agentKey(agent_id), detail: { kind: 'agent', type, provider: agent.provider } };
    }
    case 'tool.call': {
      const { name, call_id: callId } = event;
      return { key: toolKey(event, callId), detail: { kind: 'tool', name, callId } };
    }
    case 'question.asked': {
      const { name, kind: asks } = event;
      return { key: questionKey(name), detail: { kind: 'question', name, asks, answeredBy: null } };
    }
    default:
      return null;
  }
}

/** Returns null for a record that closes no span. */
export function spanClosing(event: CollabEvent): Closing | null {
  switch (event.type) {
    case 'phase.ended':
      return { key: phaseKey(event.phase, event.round), fault: null };
    case 'step.ended':
      return { key: stepKey(event.step), fault: null };
    case 'agent.ended':
      return { key: agentKey(event.agent_id), fault: event.status === 'error' ? 'error' : null };
    case 'tool.result':
      return { key: toolKey(event, event.call_id), fault: event.is_error ? 'error' : null };
    case 'question.answered':
      return { key: questionKey(event.name), fault: null, answeredBy: event.by };
    default:
      return null;
  }
}

export function phaseKey(phase: string, round: number | string): string {
  return `phase ${phase}/${round}`;
}

export function stepKey(step: string): string {
  return `step ${step}`;
}

export function agentKey(agentId: string): string {
  return `agent ${agentId}`;
}

function toolKey({ step, agent }: CollabEvent, callId: string): string {
  return `tool ${JSON.stringify([step, agent.id, callId])}`;
}

function questionKey(name: string): string {
  return `question ${name}`;
}
