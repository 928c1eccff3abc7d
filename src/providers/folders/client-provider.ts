/** Wraps a client of specification 003 from a provider folder: it offers a model, of which the loop makes an agent. */
import { CollabError } from '../../errors/collab-error.ts';
import { variableOf, type AiClientClass } from '../client/ai-client.ts';
import { createClientModel, type StreamingClient } from '../client/client-model.ts';
import type { AuthMode, ModelProvider, ProviderEnvironment } from '../contract/contract.ts';
import { refusedProbe } from '../contract/refused-probe.ts';
import { tokenPrice } from '../profiles/pricing.ts';
import type { Profile } from '../profiles/profile.ts';

export interface ClientFolder {
  readonly Client: AiClientClass;
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** At least one. */
  readonly profiles: readonly Profile[];
}

export function clientProvider({ Client, name, path, profiles }: ClientFolder): ModelProvider {
  const authMode: AuthMode = Client.authMode ?? 'api_key';
  const login = authMode === 'api_key' ? 'API key' : authMode === 'cli_login' ? 'its own login' : null;
  const modelOf = ({ settings }: Pick<ProviderEnvironment, 'settings'>): string =>
    settings[`${name}.model`] ?? profiles[0]?.basic_info.id ?? name;
  const pricingOf = (model: string) => profiles.find(({ basic_info }) => basic_info.id === model)?.pricing;
  return {
    name,
    roles: ['lead', 'advisor'],
    authMode,
    assurance: 'model',
    promptLimit: null,

    async probe(environment) {
      const made = make(Client, environment, name);
      if (made instanceof CollabError) return refusedProbe(made, hintFor(name));
      return { ready: true, version: null, login, model: modelOf(environment) };
    },

    price: async (model, environment) => tokenPrice(pricingOf(model ?? modelOf(environment))),

    async openModel(options) {
      const client = make(Client, options, name);
      if (client instanceof CollabError) throw client;
      const modelId = options.model ?? modelOf(options);
      return createClientModel({
        client,
        name,
        modelId,
        pricing: pricingOf(modelId),
        identity: {
          provider: name,
          displayName: name,
          version: null,
          model: modelId,
          login,
          // Third-party code may send the text to any host, so we cannot promise that none leaves.
          destination: hostOf(options.env[variableOf(name, 'API_BASE')]) ?? 'a host that its code chooses',
          remarks: [`its code is ${path}`],
        },
      });
    },
  };
}

/** Creates the client, or returns the reason why not. A third-party constructor may throw anything. */
function make(
  Client: AiClientClass,
  { env }: Pick<ProviderEnvironment, 'env'>,
  name: string,
): StreamingClient | CollabError {
  try {
    return new Client({ env });
  } catch (error) {
    if (error instanceof CollabError) return error;
    const message = error instanceof Error ? error.message : String(error);
    const isKey = message.includes(variableOf(name, 'API_KEY'));
    return new CollabError(isKey ? 'auth' : 'options', message, { hint: hintFor(name) });
  }
}

function hintFor(name: string): string {
  return `see what ${name} needs: collab provider list`;
}

/** Returns the host that receives the text, if the environment sets it; otherwise only the provider's code knows it. */
function hostOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : null;
}
