/** The advisor of one run. Masks secrets in everything that the advisor returns. */
import { CollabError } from '../../errors/collab-error.ts';
import type { OpenOptions, Agent, TurnResult, TurnRequest } from '../../providers/contract/contract.ts';
import { isModelProvider } from '../../providers/contract/is-model-provider.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import type { AdvisorChoice } from './advisor-choice.ts';
import { openOnce, type AgentOfRun } from './lazy-agent.ts';
import { maskedTurn } from './masked-turn.ts';
import type { FillingCopy } from '../folder/agent-folders.ts';
import { turnOverCopy } from './turn-over-copy.ts';
import { isUnavailable } from './unavailable-agent.ts';
import type { Phase } from '../../tags/tags.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import type { RunInput } from '../folder/run-input.ts';
import { limitsIn } from '../folder/run-settings.ts';

export interface Advisor extends AgentOfRun {
  turn(request: TurnRequest): Promise<TurnResult>;
}

/** `copy`: the folder that it reads, while it is being filled; default: it is whole. */
export function createAdvisor(choice: AdvisorChoice, options: OpenOptions, copy?: FillingCopy): Advisor {
  const { opened, shared } = openOnce(async () => openAgent(choice, options));
  return {
    ...shared,
    async turn(request) {
      const agent = await opened();
      if (isUnavailable(agent)) return agent;
      const turn = (call: TurnRequest): Promise<TurnResult> => maskedTurn((own) => agent.turn(own), call);
      return copy === undefined ? turn(request) : turnOverCopy(turn, request, { copy, agent });
    },
    async harvest(sessionId, callId) {
      if (copy?.isEarly(sessionId) === true) return { kind: 'not_sent' };
      return shared.harvest(sessionId, callId);
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

export interface AdvisorPlace {
  /** The run's private folder. */
  readonly state: string;
  /** The folder that it may read; null: nothing. */
  readonly review: string | null;
  /** The phase whose limits apply to its turns; null: the limits of no particular phase. */
  readonly phase: Phase | null;
  /** The state of that folder while it is being filled; default: it is whole. */
  readonly copy?: FillingCopy;
}

/** Opens the advisor that a run's input names. */
export function advisorOfRun(
  { env, signal, runId }: Pick<DriveFolderOptions, 'env' | 'signal' | 'runId'>,
  { cwd, advisor, settings }: Pick<RunInput, 'cwd' | 'advisor' | 'settings'>,
  { state, review, phase, copy }: AdvisorPlace,
): Advisor {
  const options = {
    env,
    cwd,
    settings: advisor.settings,
    signal,
    runId,
    model: advisor.model,
    stateFolder: state,
    reviewFolder: review,
    limits: limitsIn(settings, phase),
  };
  return createAdvisor(advisor, options, copy);
}
