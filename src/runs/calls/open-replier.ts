/** Chooses how a run answers the advisor's reverse requests, from the lead in the run's input. */
import { join } from 'node:path';
import { replyingLeadPrompt } from '../../prompts/system-prompts.ts';
import { declined } from '../../prompts/repair/declined-answer.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { AgentUnavailable } from '../agents/unavailable-agent.ts';
import type { AnswerWay } from './reverse-request.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import type { Budget } from './budget.ts';
import { createLead, type Lead } from '../agents/lead-agent.ts';
import { caller, user } from '../agents/lead-choice.ts';
import type { FillingCopy } from '../folder/agent-folders.ts';
import type { RunDeadline } from './deadline.ts';
import type { RunInput } from '../folder/run-input.ts';
import { limitsIn } from '../folder/run-settings.ts';

export interface AnswerWayOptions extends Pick<DriveFolderOptions, 'runId' | 'env' | 'signal'> {
  readonly input: Pick<RunInput, 'lead' | 'cwd' | 'settings' | 'fence_seed'>;
  /** The run's private folder for its agents. */
  readonly stateFolder: string;
  /** The folder that a lead may read to answer; null: nothing. */
  readonly folder: string | null;
  /** The state of that folder while it is being filled. */
  readonly copy: Pick<FillingCopy, 'whole'>;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
}

export interface OpenedWay {
  readonly way: AnswerWay;
  /** The identity of the agent that answers, or why it cannot; null if no agent of ours answers. */
  readonly identity: (() => Promise<AgentIdentity | AgentUnavailable>) | null;
  close(): Promise<void>;
}

export function openAnswerWay(options: AnswerWayOptions): OpenedWay {
  const { lead } = options.input;
  if (lead === null)
    return { way: { kind: 'declined', reason: declined.noLead }, identity: null, close: async () => {} };
  if (lead.provider === caller || lead.provider === user) {
    return { way: { kind: 'asked', by: lead.provider }, identity: null, close: async () => {} };
  }
  return openLeadWay(options, lead);
}

function openLeadWay(
  { input, runId, env, signal, stateFolder, folder, copy, deadline, budget }: AnswerWayOptions,
  { provider, model, settings }: NonNullable<RunInput['lead']>,
): OpenedWay {
  const ownFolder = join(realPlace(stateFolder), 'lead');
  makeFolder(ownFolder);
  const opened = createLead(provider, {
    env,
    cwd: input.cwd,
    settings,
    signal,
    runId,
    model,
    stateFolder: ownFolder,
    limits: limitsIn(input.settings, null),
    instructions: replyingLeadPrompt,
  });
  const lead: Lead = {
    ...opened,
    async turn(request) {
      await copy.whole();
      return opened.turn(request);
    },
  };
  const leadAgent = { id: 'lead', role: 'lead', provider } as const;
  return {
    way: {
      kind: 'agent',
      lead,
      leadAgent,
      folder,
      round: 1,
      deadline,
      budget,
      limits: input.settings,
      fenceSeed: input.fence_seed,
    },
    identity: () => lead.identity(),
    close: () => lead.close(),
  };
}
