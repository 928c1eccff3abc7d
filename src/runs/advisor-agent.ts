/**
 * The advisor of one run, opened at the first call that is really made: a run that only answers from its records
 * starts no agent. What goes out and what comes back passes the masking of secrets here (DESIGN §5).
 */
import { CollabError } from '../errors/collab-error.ts';
import type { EventBody } from '../events/collab-event.ts';
import type {
  Agent,
  AgentIdentity,
  Harvest,
  OpenOptions,
  Provider,
  TurnRequest,
  TurnResult,
  UnavailableCode,
} from '../providers/contract.ts';
import { loadProvider } from '../providers/registry.ts';
import { createLineMasker, type LineMasker } from '../secrets/line-masker.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import type { AdvisorChoice } from './advisor-choice.ts';

export interface Advisor {
  /** Starts the agent without waiting for it; safe to call twice. */
  warmUp(): void;
  /** The agent's own facts, or why it cannot run. */
  identity(): Promise<AgentIdentity | Refusal>;
  turn(request: TurnRequest): Promise<TurnResult>;
  harvest(sessionId: string, callId: string): Promise<Harvest>;
  close(): Promise<void>;
}

export type Refusal = Extract<TurnResult, { kind: 'unavailable' }>;

export function createAdvisor(choice: AdvisorChoice, options: OpenOptions): Advisor {
  let opening: Promise<Agent | Refusal> | null = null;
  const opened = () => (opening ??= openAgent(choice, options));
  return {
    warmUp() {
      // Whoever asks for something meets the failure.
      opened().catch(() => undefined);
    },
    async identity() {
      const agent = await opened();
      return isRefusal(agent) ? agent : agent.identity;
    },
    async turn(request) {
      const agent = await opened();
      return isRefusal(agent) ? agent : maskedTurn(agent, request);
    },
    async harvest(sessionId, callId) {
      const agent = await opened();
      if (isRefusal(agent)) return { kind: 'not_sent' };
      const harvest = await agent.harvest(sessionId, callId);
      return harvest.kind === 'answered' ? { ...harvest, text: await masked(harvest.text) } : harvest;
    },
    async close() {
      const agent = await opening;
      if (agent !== null && !isRefusal(agent)) await agent.close();
    },
  };
}

async function openAgent(choice: AdvisorChoice, options: OpenOptions): Promise<Agent | Refusal> {
  const provider: Provider = await loadProvider(choice.provider);
  try {
    return await provider.open(options);
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    return { kind: 'unavailable', code: refusalCode(error), message: error.message, hint: error.hint ?? '' };
  }
}

function refusalCode(error: CollabError): UnavailableCode {
  switch (error.code) {
    case 'cli_missing':
    case 'auth':
    case 'model':
      return error.code;
    default:
      return 'options';
  }
}

function isRefusal(agent: Agent | Refusal): agent is Refusal {
  return 'kind' in agent;
}

async function maskedTurn(agent: Agent, request: TurnRequest): Promise<TurnResult> {
  const events = maskEvents(request.emit);
  const result = await agent.turn({ ...request, emit: events.emit });
  await events.drained();
  return result.kind === 'answered' ? { ...result, text: await masked(result.text) } : result;
}

interface MaskedEvents {
  readonly emit: (event: EventBody) => void;
  /** Resolves when all that was emitted has been handed on. */
  readonly drained: () => Promise<void>;
}

/** Events in their order, their texts masked; deltas by whole lines. */
function maskEvents(emit: (event: EventBody) => void): MaskedEvents {
  const maskers = new Map<string, LineMasker>();
  let queue = Promise.resolve();
  const handOn = async (event: EventBody) => {
    for (const safe of await maskEvent(event, maskers)) emit(safe);
  };
  return {
    emit: (event) => {
      queue = queue.then(() => handOn(event));
    },
    drained: () => queue,
  };
}

async function maskEvent(event: EventBody, maskers: Map<string, LineMasker>): Promise<readonly EventBody[]> {
  switch (event.type) {
    case 'text.delta': {
      const masker = maskers.get(event.block_id) ?? createLineMasker();
      maskers.set(event.block_id, masker);
      const text = masker.push(event.text);
      return text === '' ? [] : [{ ...event, text }];
    }
    case 'text.end': {
      const rest = maskers.get(event.block_id)?.flush();
      maskers.delete(event.block_id);
      const whole: EventBody = { ...event, text: await masked(event.text) };
      return rest === undefined || rest === ''
        ? [whole]
        : [{ type: 'text.delta', block_id: event.block_id, text: rest }, whole];
    }
    case 'tool.result':
      return [{ ...event, content: await masked(event.content) }];
    case 'tool.output':
      return [{ ...event, chunk: await masked(event.chunk) }];
    case 'thinking.delta':
      return [{ ...event, text: await masked(event.text) }];
    case 'tool.call': {
      const args = JSON.parse(await masked(JSON.stringify(event.args)));
      return [{ ...event, args, summary: await masked(event.summary) }];
    }
    default:
      return [event];
  }
}

async function masked(text: string): Promise<string> {
  return (await maskSecrets(text)).text;
}
