/** The common part of all providers that use a vendor's API through its official SDK, with a key from the environment. */
import { CollabError } from '../../errors/collab-error.ts';
import { hintForFault } from './api-fault.ts';
import { baseUrlOf, remarksOnAddress, type BaseUrl, type NamedBase } from './base-url.ts';
import { variableOf } from '../client/ai-client.ts';
import type { AgentIdentity, ModelProvider, ProviderEnvironment } from '../contract/contract.ts';
import { refusedProbe } from '../contract/refused-probe.ts';
import type { Model } from '../contract/model.ts';
import { missingSdk } from './optional-sdk.ts';
import { tokenPrice } from '../profiles/pricing.ts';
import type { Profile } from '../profiles/profile.ts';
import { findProfile } from '../profiles/profile-folder.ts';
import { shippedProfileDir } from '../profiles/shipped-profiles.ts';

export interface Vendor extends NamedBase {
  /** Name for display. */
  readonly displayName: string;
  readonly defaultModel: string;
  /** The package of its SDK, if that does not ship with us. */
  readonly optionalSdk?: string;
  /** Returns the path of a request below the address. */
  readonly pathOf: (connection: ApiConnection) => string;
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
  const modelOf = ({ settings }: Pick<ProviderEnvironment, 'settings'>) =>
    settings[`${name}.model`] ?? defaultModel;
  // For a gateway with its own prices, this is the vendor's price.
  const profileOf = (model: string) => findProfile(shippedProfileDir(name), name, model);
  /** @throws CollabError `cli_missing`, `auth`, `options` */
  const checked = async (environment: ProviderEnvironment) => {
    const missing = await missingSdk(vendor.optionalSdk);
    if (missing !== null) throw new CollabError('cli_missing', missing.message, { hint: missing.hint });
    const apiKey = environment.env[keyVariable]?.trim() ?? '';
    if (apiKey === '')
      throw new CollabError('auth', `${keyVariable} is not set`, { hint: hintForFault('auth', name) });
    return { apiKey, base: baseUrlOf(vendor, environment) };
  };
  return {
    name,
    roles: ['lead', 'advisor'],
    authMode: 'api_key',
    assurance: 'model',
    promptLimit: null,

    /** Accepts any key that is set: checking it would take a request. */
    async probe(environment) {
      try {
        await checked(environment);
        return { ready: true, version: null, login: 'API key', model: modelOf(environment) };
      } catch (error) {
        return refusedProbe(error);
      }
    },

    price: async (model, environment) => tokenPrice(profileOf(model ?? modelOf(environment))?.pricing),

    async openModel(options) {
      const { apiKey, base } = await checked(options);
      const { env, settings } = options;
      const model = options.model ?? modelOf(options);
      const { profile = profileOf(model) } = options;
      const connection: ApiConnection = {
        env,
        settings,
        apiKey,
        baseUrl: base.text,
        isOwnBase: base.place !== null,
        model,
        profile,
        streams: profile?.features.supports_streaming ?? true,
        identity: {
          provider: name,
          displayName,
          version: null,
          model,
          login: 'API key',
          destination: base.host,
          remarks: remarksOnAddress(base),
        },
      };
      return namingAddress(await vendor.connect(connection), base, vendor.pathOf(connection));
    },
  };
}

/** A gateway that does not know the path or the model of a request often answers without naming either. */
function namingAddress(model: Model, { text, place }: BaseUrl, path: string): Model {
  if (place === null) return model;
  return {
    ...model,
    async turn(request) {
      const turn = await model.turn(request);
      const { end } = turn;
      if (end.kind !== 'unavailable' || (end.code !== 'model' && end.code !== 'options')) return turn;
      const where = `Requests are sent to ${text}${path}, after ${place}.`;
      return { ...turn, end: { ...end, hint: end.hint === null ? where : `${end.hint} ${where}` } };
    },
  };
}
