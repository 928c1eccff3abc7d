/**
 * The lead of one run where it is an agent of its own, opened at the first turn that is really made. Secrets are covered in
 * what it is told and in what it says (DESIGN §5).
 */
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
import { masked, maskedTurn } from './masked-turn.ts';
import { isRefusal } from './unavailable-agent.ts';

export interface Lead extends AgentOfRun {
  /** Whether it can change files; false where it cannot run. */
  edits(): Promise<boolean>;
  turn(request: LeadTurnRequest): Promise<TurnResult>;
}

/** `provider` is a provider's name; the caller and a person are no agents that can be opened. */
export function createLead(provider: string, options: LeadOptions): Lead {
  return leadOf(async () => openLead(provider, options));
}

/** As `createLead`, of an agent that `open` gives. */
export function leadOf(open: () => Promise<LeadAgent>): Lead {
  const { opened, shared } = openOnce(open);
  return {
    ...shared,
    async edits() {
      const agent = await opened();
      return !isRefusal(agent) && agent.edits;
    },
    async turn(request) {
      const agent = await opened();
      if (isRefusal(agent)) return agent;
      const prompt = await masked(request.prompt);
      return maskedTurn((call: LeadTurnRequest) => agent.turn(call), { ...request, prompt });
    },
  };
}

async function openLead(name: string, options: LeadOptions): Promise<LeadAgent> {
  const provider = await loadProvider(name, options.settings);
  if (provider.openLead !== undefined) return provider.openLead(options);
  if (isModelProvider(provider)) {
    // The loop and its tools are for the few runs that a bare model leads.
    const { openModelLead } = await import('./model-lead.ts');
    return openModelLead(provider, options);
  }
  throw new CollabError('options', `${provider.name} cannot lead`);
}
