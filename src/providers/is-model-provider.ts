import type { ModelProvider, Provider } from './contract.ts';

/** One of which the loop makes an agent. */
export function isModelProvider(provider: Provider): provider is ModelProvider {
  return provider.openModel !== undefined;
}
