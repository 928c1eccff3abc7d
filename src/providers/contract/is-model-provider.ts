import type { LeadProvider, ModelProvider, Provider } from './contract.ts';

/** Returns true for a provider of which the loop makes an agent. */
export function isModelProvider(provider: Provider): provider is ModelProvider {
  return provider.openModel !== undefined;
}

/** Returns true for a provider that is an agent by itself and leads with sessions of its own. */
export function isLeadProvider(provider: Provider): provider is LeadProvider {
  return provider.openLead !== undefined;
}
