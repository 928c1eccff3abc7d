/** Opens the answerer of a conversation. */
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { LeadProvider, ProviderEnvironment } from '../../providers/contract/contract.ts';
import type { RepeatRules } from '../../providers/contract/repeat-policy.ts';
import { isLeadProvider, isModelProvider } from '../../providers/contract/is-model-provider.ts';
import { loadProvider } from '../../providers/contract/registry.ts';
import { aboutEmptyFolder, conversationLeadPrompt } from '../../prompts/system-prompts.ts';
import type { OwnBudget } from '../calls/budget.ts';
import { createAgentAnswerer } from './agent-answerer.ts';
import type { ConversationAnswerer, LeadName } from './answerer.ts';
import { createModelAnswerer } from './model-answerer.ts';
import { openKnownModels } from '../agents/known-models.ts';
import { openAgentSessions } from './agent-sessions.ts';
import type { ConversationFolder } from './store.ts';
import { caller } from '../agents/lead-choice.ts';
import { openStateFolder } from '../folder/state-folder.ts';
import type { LoopOptions } from '../../loop/execution-loop.ts';

export interface AnswererOptions extends Pick<LoopOptions, 'tools' | 'policy' | 'limits' | 'clock'> {
  readonly environment: ProviderEnvironment;
  readonly folder: ConversationFolder;
  /** For the requests of a bare model; an agent with its own sessions repeats by itself. */
  readonly repeats: RepeatRules;
  /** Language of the lead's text; null: the user's. */
  readonly language: string | null;
  readonly budget: OwnBudget;
  /** Additional instructions for the lead, such as skills. */
  readonly instructions?: readonly string[];
}

/** @throws CollabError `usage` for a lead that cannot converse, and as `Provider.openModel`, `Provider.openLead` */
export async function openAnswerer(lead: LeadName, options: AnswererOptions): Promise<ConversationAnswerer> {
  const { environment, language } = options;
  const { provider: name, model } = lead;
  if (name === caller) throw noCaller();
  const provider = await loadProvider(name, environment.settings);
  const system = [conversationLeadPrompt(language), ...(options.instructions ?? [])].join('\n\n');
  if (isModelProvider(provider)) {
    const opened = await provider.openModel({ ...environment, model });
    return createModelAnswerer({
      ...options,
      lead,
      model: opened,
      profile: openKnownModels().profile,
      system,
    });
  }
  if (!isLeadProvider(provider)) throw new CollabError('usage', `${name} cannot lead a conversation`);
  return openAgent(provider, lead, { ...options, system });
}

interface AgentOptions extends AnswererOptions {
  readonly system: string;
}

async function openAgent(
  provider: LeadProvider,
  lead: LeadName,
  options: AgentOptions,
): Promise<ConversationAnswerer> {
  const { environment, folder, clock, limits, system } = options;
  const agent = await provider.openLead({
    ...environment,
    runId: folder.id,
    model: lead.model,
    stateFolder: join(openStateFolder(folder.id, { env: environment.env, clock }), 'lead'),
    limits,
    instructions: `${system}\n\n${aboutEmptyFolder}`,
  });
  return createAgentAnswerer({
    ...options,
    agent,
    lead,
    sessions: openAgentSessions(folder, provider.name),
  });
}

function noCaller(): CollabError {
  return new CollabError('usage', 'the caller cannot lead a conversation, only runs', {
    hint: 'name a lead: collab chat --lead claude_code',
  });
}
