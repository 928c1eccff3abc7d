/** The common part of all providers that use a vendor's API through its official SDK, with a key from the environment. */
import { CollabError } from '../../errors/collab-error.ts';
import { hintForFault } from './api-fault.ts';
import { variableOf } from '../client/ai-client.ts';
import type { AgentIdentity, ModelProvider, ProviderEnvironment } from '../contract/contract.ts';
import type { Model } from '../contract/model.ts';
import { missingSdk } from './optional-sdk.ts';
import { tokenPrice } from '../profiles/pricing.ts';
import type { Profile } from '../profiles/profile.ts';
import { findProfile } from '../profiles/profile-folder.ts';
import { shippedProfileDir } from '../profiles/shipped-profiles.ts';

export interface Vendor {
  readonly name: string;
  /** Name for display. */
  readonly displayName: string;
  readonly defaultModel: string;
  readonly defaultBaseUrl: string;
  /** The package of its SDK, if that does not ship with us. */
  readonly optionalSdk?: string;
  /** Loads the SDK, whose import takes longer than the rest of a `collab` start. */
  connect(connection: ApiConnection): Promise<Model>;
}

export interface ApiConnection extends Pick<ProviderEnvironment, 'env' | 'settings'> {
  readonly apiKey: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** True if the configuration or the environment sets the address. */
  readonly isOwnBase: boolean;
  readonly model: string;
  /** The profile of the model; null if it has none. */
  readonly profile: Profile | null;
  /** True if the answer can be streamed; otherwise it is requested as a whole (X003-13). */
  readonly streams: boolean;
  readonly identity: AgentIdentity;
}

export function apiKeyProvider(vendor: Vendor): ModelProvider {
  const { name, displayName, defaultModel } = vendor;
  const keyVariable = variableOf(name, 'API_KEY');
  const noKey = `${keyVariable} is not set`;
  const keyOf = ({ env }: Pick<ProviderEnvironment, 'env'>) => valueOf(env[keyVariable]);
  const modelOf = ({ settings }: Pick<ProviderEnvironment, 'settings'>) =>
    settings[`${name}.model`] ?? defaultModel;
  // For a gateway with its own prices, this is the vendor's price.
  const profileOf = (model: string) => findProfile(shippedProfileDir(name), name, model);
  return {
    name,
    roles: ['lead', 'advisor'],
    authMode: 'api_key',
    assurance: 'model',
    promptLimit: null,

    /** Accepts any key that is set: checking it would take a request. */
    async probe(environment) {
      const missing = await missingSdk(vendor.optionalSdk);
      if (missing !== null) return { ready: false, code: 'cli_missing', ...missing };
      return keyOf(environment) === null
        ? { ready: false, code: 'auth', message: noKey, hint: hintForFault('auth', name) }
        : { ready: true, version: null, login: 'API key', model: modelOf(environment) };
    },

    price: async (model, environment) => tokenPrice(profileOf(model ?? modelOf(environment))?.pricing),

    async openModel(options) {
      const missing = await missingSdk(vendor.optionalSdk);
      if (missing !== null) throw new CollabError('cli_missing', missing.message, { hint: missing.hint });
      const apiKey = keyOf(options);
      if (apiKey === null) throw new CollabError('auth', noKey, { hint: hintForFault('auth', name) });
      const { env, settings } = options;
      const { url, isOwn } = baseUrlOf(vendor, options);
      const model = options.model ?? modelOf(options);
      const { profile = profileOf(model) } = options;
      return vendor.connect({
        env,
        settings,
        apiKey,
        baseUrl: url.href.replace(/\/+$/, ''),
        isOwnBase: isOwn,
        model,
        profile,
        streams: profile?.features.supports_streaming ?? true,
        identity: {
          provider: name,
          displayName,
          version: null,
          model,
          login: 'API key',
          destination: url.host,
          remarks: [],
        },
      });
    },
  };
}

function valueOf(text: string | undefined): string | null {
  const value = text?.trim() ?? '';
  return value === '' ? null : value;
}

/** Returns the configured address, else the environment's. @throws CollabError `options` for an invalid address */
function baseUrlOf(
  { name, defaultBaseUrl }: Vendor,
  { env, settings }: Pick<ProviderEnvironment, 'env' | 'settings'>,
) {
  const configured = settings[`${name}.base_url`];
  const variable = variableOf(name, 'API_BASE');
  const own = configured ?? valueOf(env[variable]);
  const written = own ?? defaultBaseUrl;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) {
    return { url, isOwn: own !== null };
  }
  const place = configured === undefined ? variable : `providers.${name}.base_url`;
  throw new CollabError('options', `${place} is not an address: ${written}`, {
    hint: 'Write one such as https://gateway.example.org, or omit it.',
  });
}
