/** The lead of a tenant's run or conversation: the server's own choice, as far as the tenant may have it. */
import { may, type Act } from '../../access/permissions.ts';
import { requireMay } from '../../access/require.ts';
import type { Guest, Speaker } from '../../access/speaker.ts';
import { isModelProvider } from '../../providers/contract/is-model-provider.ts';
import { loadProvider, parseProviderChoice, providerNames } from '../../providers/contract/registry.ts';
import { caller, claudeCode } from '../agents/lead-choice.ts';

export interface GuestLead {
  /** The server's lead. */
  readonly lead: string;
  /** True for a run of phases; a review needs no lead. */
  readonly needsOne: boolean;
}

/** @throws CollabError `forbidden` if the run needs a lead for which the tenant has no grant */
export async function leadForGuest(speaker: Guest, { lead, needsOne }: GuestLead): Promise<string> {
  const name = lead === 'auto' ? claudeCode : parseProviderChoice(lead).provider;
  if (name === 'none' || name === caller) return lead;
  if (needsOne) await requireLead(speaker, name);
  const isAllowed = may(speaker, await leadAction(name)).allowed;
  return isAllowed && (lead !== 'auto' || needsOne) ? lead : 'none';
}

/** @throws CollabError `forbidden` for an agent that the tenant has no grant for */
export async function requireLead(speaker: Speaker, name: string): Promise<void> {
  requireMay(speaker, await leadAction(name), `a conversation with ${name}`);
}

/** A script of the owner's has no more abilities than a bare model: it uses only the tools it receives. */
async function leadAction(name: string): Promise<Act> {
  if (!providerNames.includes(name)) return { does: "run a provider's folder", what: name };
  const isBare = name === 'rehearsal' || isModelProvider(await loadProvider(name));
  return { does: isBare ? 'converse with a model' : 'converse with an agent', what: name };
}
