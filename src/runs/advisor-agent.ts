/**
 * The advisor of one run, opened at the first call that is really made: a run that only answers from its records
 * starts no agent. What goes out and what comes back passes the masking of secrets here (DESIGN §5).
 */
import { CollabError } from '../errors/collab-error.ts';
import type {
  Agent,
  AgentIdentity,
  Harvest,
  OpenOptions,
  Provider,
  TurnCall,
  TurnRequest,
  TurnResult,
  UnavailableCode,
} from '../providers/contract.ts';
import { isModelProvider } from '../providers/is-model-provider.ts';
import { loadProvider } from '../providers/registry.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { kindsOf } from '../secrets/text-range.ts';
import type { AdvisorChoice } from './advisor-choice.ts';
import { maskEvents } from './mask-events.ts';

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
      return isRefusal(agent) ? agent : maskedTurn((call) => agent.turn(call), request);
    },
    async harvest(sessionId, callId) {
      const agent = await opened();
      if (isRefusal(agent)) return { kind: 'not_sent' };
      const harvest = await agent.harvest(sessionId, callId);
      return harvest.kind === 'answered' ? { ...harvest, ...(await maskedAnswer(harvest.text)) } : harvest;
    },
    async close() {
      const agent = await opening;
      if (agent !== null && !isRefusal(agent)) await agent.close();
    },
  };
}

async function openAgent(choice: AdvisorChoice, options: OpenOptions): Promise<Agent | Refusal> {
  try {
    const provider: Provider = await loadProvider(choice.provider, options.settings);
    if (provider.open !== undefined) return await provider.open(options);
    if (!isModelProvider(provider)) throw new CollabError('options', `${provider.name} cannot advise`);
    const { openModelAdvisor } = await import('./model-advisor.ts');
    return await openModelAdvisor(provider, options);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Why an agent could not be opened, as a turn's result. @throws whatever is no refusal */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof CollabError)) throw error;
  return { kind: 'unavailable', code: refusalCode(error), message: error.message, hint: error.hint ?? '' };
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

export function isRefusal(agent: object): agent is Refusal {
  return 'kind' in agent;
}

/** What the agent says, with its secrets covered. */
export async function maskedTurn<Call extends TurnCall>(
  turn: (call: Call) => Promise<TurnResult>,
  call: Call,
): Promise<TurnResult> {
  const events = maskEvents(call.emit);
  const result = await turn({ ...call, emit: events.emit });
  await events.drained();
  if (result.kind === 'answered') return { ...result, ...(await maskedAnswer(result.text)) };
  return { ...result, message: await masked(result.message) };
}

async function maskedAnswer(said: string): Promise<{ text: string; covered?: readonly string[] }> {
  const { text, found } = await maskSecrets(said);
  return { text, ...(found.length === 0 ? {} : { covered: kindsOf(found) }) };
}

export async function masked(text: string): Promise<string> {
  return (await maskSecrets(text)).text;
}
