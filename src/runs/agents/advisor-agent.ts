/** The advisor of one run. Masks secrets in everything that the advisor returns. */
import { CollabError } from '../../errors/collab-error.ts';
import type { Agent, OpenOptions, TurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import { isModelProvider } from '../../providers/contract/is-model-provider.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import type { AdvisorChoice } from './advisor-choice.ts';
import { openOnce, type AgentOfRun } from './lazy-agent.ts';
import { maskedTurn } from './masked-turn.ts';
import { isUnavailable } from './unavailable-agent.ts';

export interface Advisor extends AgentOfRun {
  turn(request: TurnRequest): Promise<TurnResult>;
}

export function createAdvisor(choice: AdvisorChoice, options: OpenOptions): Advisor {
  const { opened, shared } = openOnce(async () => openAgent(choice, options));
  return {
    ...shared,
    async turn(request) {
      const agent = await opened();
      return isUnavailable(agent) ? agent : maskedTurn((call) => agent.turn(call), request);
    },
  };
}

async function openAgent(choice: AdvisorChoice, options: OpenOptions): Promise<Agent> {
  const provider = await loadProvider(choice.provider, options.settings);
  if (provider.open !== undefined) return provider.open(options);
  if (!isModelProvider(provider)) throw new CollabError('options', `${provider.name} cannot advise`);
  const { openModelAdvisor } = await import('./model-advisor.ts');
  return openModelAdvisor(provider, options);
}
