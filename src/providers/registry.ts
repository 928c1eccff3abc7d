/** The built-in providers by name, each loaded only when it is asked for. */
import { CollabError } from '../errors/collab-error.ts';
import type { Provider } from './contract.ts';

const builtIn: Readonly<Record<string, () => Promise<Provider>>> = {
  anthropic: async () => (await import('./anthropic/anthropic_client.ts')).anthropicProvider,
  codex: async () => (await import('./codex/codex_client.ts')).codexProvider,
  claude_code: async () => (await import('./claude_code/claude_code_client.ts')).claudeCodeProvider,
  static_review: async () => (await import('./static_review/static_review_client.ts')).staticReviewProvider,
  rehearsal: async () => (await import('./rehearsal/rehearsal_client.ts')).rehearsalProvider,
};

export const providerNames: readonly string[] = Object.keys(builtIn);

/** @throws CollabError `usage` for a name that no provider has */
export async function loadProvider(name: string): Promise<Provider> {
  const load = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (load === undefined) {
    throw new CollabError('usage', `there is no provider "${name}"`, {
      hint: `known providers: ${providerNames.join(', ')}`,
      details: { name },
    });
  }
  return load();
}

export interface ProviderChoice {
  readonly provider: string;
  /** For `rehearsal` the path of its script. */
  readonly model: string | null;
}

/** `codex`, `codex:gpt-5.5`, `rehearsal:script.yaml`. */
export function parseProviderChoice(text: string): ProviderChoice {
  const colon = text.indexOf(':');
  return colon < 0
    ? { provider: text, model: null }
    : { provider: text.slice(0, colon), model: text.slice(colon + 1) };
}
