/** The lead of one run, if it is a separate agent: opened at its first actual turn. Masks secrets in its answers. */
import { CollabError } from '../../errors/collab-error.ts';
import { isModelProvider } from '../../providers/contract/is-model-provider.ts';
import type {
  LeadAgent,
  LeadOptions,
  LeadTurnRequest,
  TurnResult,
} from '../../providers/contract/contract.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import { openOnce, type AgentOfRun } from './lazy-agent.ts';
import { maskedTurn } from './masked-turn.ts';
import { isUnavailable } from './unavailable-agent.ts';

export interface Lead extends AgentOfRun {
  /** Returns true if it can change files; false if it cannot run. */
  edits(): Promise<boolean>;
  turn(request: LeadTurnRequest): Promise<TurnResult>;
}

/** `provider` is a provider's name; `caller` and `user` are not agents and cannot be opened. */
export function createLead(provider: string, options: LeadOptions): Lead {
  return leadOf(async () => openLead(provider, options));
}

/** Works like `createLead`, with the agent that `open` returns. */
export function leadOf(open: () => Promise<LeadAgent>): Lead {
  const { opened, shared } = openOnce(open);
  return {
    ...shared,
    async edits() {
      const agent = await opened();
      return !isUnavailable(agent) && agent.edits;
    },
    async turn(request) {
      const agent = await opened();
      return isUnavailable(agent) ? agent : maskedTurn((call: LeadTurnRequest) => agent.turn(call), request);
    },
  };
}

async function openLead(name: string, options: LeadOptions): Promise<LeadAgent> {
  const provider = await loadProvider(name, options.settings);
  if (provider.openLead !== undefined) return provider.openLead(options);
  if (isModelProvider(provider)) {
    // Only the few runs that a bare model leads need the loop and its tools.
    const { openModelLead } = await import('./model-lead.ts');
    return openModelLead(provider, options);
  }
  throw new CollabError('options', `${provider.name} cannot lead`);
}
