/** A vendor's API by its official SDK, with a key of the environment: what all providers of this kind have in common. */
import { CollabError } from '../../errors/collab-error.ts';
import { hintFor } from './api-fault.ts';
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
  /** As people read it. */
  readonly displayName: string;
  readonly defaultModel: string;
  readonly defaultBaseUrl: string;
  /** The package of its SDK where that does not ship with us. */
  readonly optionalSdk?: string;
  /** Loads the SDK: its import takes longer than all that a start of `collab` does. */
  connect(connection: Connection): Promise<Model>;
}

export interface Connection extends Pick<ProviderEnvironment, 'env' | 'settings'> {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Whether somebody named the address. */
  readonly isOwnBase: boolean;
  readonly model: string;
  /** Null where nothing is known of the model. */
  readonly profile: Profile | null;
  /** Whether its answer can be heard while it is made; else it is asked for as a whole (X003-13). */
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
  // Of a gateway with prices of its own it is what the vendor would ask.
  const profileOf = (model: string) => findProfile(shippedProfileDir(name), name, model);
  return {
    name,
    roles: ['lead', 'advisor'],
    authMode: 'api_key',
    assurance: 'model',
    promptLimit: null,

    /** A key that is set is taken for valid: to know more, a request would have to be made. */
    async probe(environment) {
      const missing = await missingSdk(vendor.optionalSdk);
      if (missing !== null) return { ready: false, code: 'cli_missing', ...missing };
      return keyOf(environment) === null
        ? { ready: false, code: 'auth', message: noKey, hint: hintFor('auth', name) }
        : { ready: true, version: null, login: 'API key', model: modelOf(environment) };
    },

    price: async (model, environment) => tokenPrice(profileOf(model ?? modelOf(environment))?.pricing),

    async openModel(options) {
      const missing = await missingSdk(vendor.optionalSdk);
      if (missing !== null) throw new CollabError('cli_missing', missing.message, { hint: missing.hint });
      const apiKey = keyOf(options);
      if (apiKey === null) throw new CollabError('auth', noKey, { hint: hintFor('auth', name) });
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

/** The configuration's address, else the environment's. @throws CollabError `options` for what is no address */
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
  throw new CollabError('options', `${place} is no address: ${written}`, {
    hint: 'Write one such as https://gateway.example.org, or leave it out.',
  });
}
