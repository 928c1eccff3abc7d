/** The built-in providers by name, each loaded only on request. */
import { CollabError } from '../../errors/collab-error.ts';
import { nearest } from '../../text/nearest.ts';
import type { AiClientClass } from '../client/ai-client.ts';
import type { Provider } from './contract.ts';

interface BuiltIn {
  readonly provider: () => Promise<Provider>;
  readonly client: () => Promise<AiClientClass>;
}

const builtIn: Readonly<Record<string, BuiltIn>> = {
  anthropic: {
    provider: async () => (await import('../anthropic/anthropic_client.ts')).anthropicProvider,
    client: async () => (await import('../anthropic/anthropic_client.ts')).AnthropicClient,
  },
  openai: {
    provider: async () => (await import('../openai/openai_client.ts')).openaiProvider,
    client: async () => (await import('../openai/openai_client.ts')).OpenAIClient,
  },
  gemini: {
    provider: async () => (await import('../gemini/gemini_client.ts')).geminiProvider,
    client: async () => (await import('../gemini/gemini_client.ts')).GeminiClient,
  },
  // Most reviews use it: code that only a conversation needs is not loaded for them.
  codex: {
    provider: async () => (await import('../codex/advisor.ts')).codexProvider,
    client: async () => (await import('../codex/codex_client.ts')).CodexClient,
  },
  claude_code: {
    provider: async () => (await import('../claude_code/claude_code_client.ts')).claudeCodeProvider,
    client: async () => (await import('../claude_code/claude_code_client.ts')).ClaudeCodeClient,
  },
  static_review: {
    provider: async () => (await import('../static_review/static_review_client.ts')).staticReviewProvider,
    client: async () => (await import('../static_review/static_review_client.ts')).StaticReviewClient,
  },
  rehearsal: {
    provider: async () => (await import('../rehearsal/rehearsal_client.ts')).rehearsalProvider,
    client: async () => (await import('../rehearsal/rehearsal_client.ts')).RehearsalClient,
  },
};

export const providerNames: readonly string[] = Object.keys(builtIn);

/**
 * Loads a provider that ships, or the one whose folder the settings name as `<name>.folder`. Only the command line sets that:
 * running third-party code is the user's own decision (ADR 0025).
 *
 * @throws CollabError `usage` for an unknown name; `options` for a folder with faults
 */
export async function loadProvider(
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Provider> {
  const shipped = builtInOf(name);
  if (shipped !== null) return shipped.provider();
  const folder = settings[folderSetting(name)];
  if (folder === undefined) throw unknownProvider(name, providerNames);
  const { loadProviderFolder } = await import('../folders/loader.ts');
  return loadProviderFolder(folder, { taken: providerNames });
}

/** Loads the class of a provider that ships; returns null for every other name. */
export async function loadShippedClient(name: string): Promise<AiClientClass | null> {
  return builtInOf(name)?.client() ?? null;
}

function builtInOf(name: string): BuiltIn | null {
  return (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined) ?? null;
}

export function folderSetting(name: string): string {
  return `${name}.folder`;
}

/**
 * Returns an error that suggests the nearest name. `known` are the existing names; `words` are other valid values, such as
 * `auto`.
 */
export function unknownProvider(
  name: string,
  known: readonly string[],
  words: readonly string[] = [],
): CollabError {
  const near = nearest(name, [...known, ...words]);
  return new CollabError(
    'usage',
    `there is no provider "${name}"${near === null ? '' : `; is ${near} meant?`}`,
    {
      hint: `known providers: ${known.join(', ')}`,
      details: { name },
    },
  );
}

export interface ProviderChoice {
  readonly provider: string;
  /** For `rehearsal`, the path of its script. */
  readonly model: string | null;
}

/** Parses `codex`, `codex:gpt-5.5`, `rehearsal:script.yaml`. */
export function parseProviderChoice(text: string): ProviderChoice {
  const colon = text.indexOf(':');
  return colon < 0
    ? { provider: text, model: null }
    : { provider: text.slice(0, colon), model: text.slice(colon + 1) };
}
