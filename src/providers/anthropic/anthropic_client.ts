/** `anthropic`: a Claude model through the Messages API. It reads and advises as a lead; it changes no files. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ModelProvider, ProviderEnvironment } from '../contract.ts';
import type { Model } from '../model.ts';
import { ModelClient } from '../model-client.ts';
import { tokenPrice, type Pricing } from '../pricing.ts';
import { findProfile } from '../profile-folder.ts';
import { shippedProfileDir } from '../shipped-profiles.ts';
import { createModel } from './create-model.ts';
import { hintFor } from './errors.ts';

export const anthropicProvider: ModelProvider = {
  name: 'anthropic',
  roles: ['lead', 'advisor'],
  authMode: 'api_key',
  assurance: 'model',
  promptLimit: null,

  /** A key that is set is taken for valid: to know more, a request would have to be made. */
  async probe(environment) {
    const key = keyOf(environment);
    return key === null
      ? { ready: false, code: 'auth', message: noKey, hint: hintFor('auth') }
      : { ready: true, version: null, login: 'API key', model: modelOf(environment) };
  },

  price: async (model, environment) => tokenPrice(pricingOf(model ?? modelOf(environment))),

  async openModel(options) {
    const apiKey = keyOf(options);
    if (apiKey === null) throw new CollabError('auth', noKey, { hint: hintFor('auth') });
    const baseUrl = baseUrlOf(options);
    const model = options.model ?? modelOf(options);
    return createModel({
      apiKey,
      baseUrl: baseUrl.href.replace(/\/+$/, ''),
      model,
      pricing: pricingOf(model),
      identity: {
        provider: 'anthropic',
        displayName: 'Claude',
        version: null,
        model,
        login: 'API key',
        destination: baseUrl.host,
        remarks: [],
      },
    });
  },
};

/** The same as specification 003's client. */
export class AnthropicClient extends ModelClient {
  static override getProviderName(): string {
    return 'anthropic';
  }

  static override getProfileDir(): string {
    return shippedProfileDir('anthropic');
  }

  override defaultModel(): string {
    return defaultModel;
  }

  protected openModel(model: string, signal: AbortSignal): Promise<Model> {
    const settings = this.apiBase === null ? {} : { 'anthropic.base_url': this.apiBase };
    return anthropicProvider.openModel({ env: this.env, cwd: process.cwd(), settings, signal, model });
  }
}

export const defaultModel = 'claude-opus-5-5';

/** Of a gateway with prices of its own it is what Anthropic would ask. */
function pricingOf(model: string): Pricing | undefined {
  return findProfile(shippedProfileDir('anthropic'), 'anthropic', model)?.pricing;
}

const noKey = 'ANTHROPIC_API_KEY is not set';
const defaultBaseUrl = 'https://api.anthropic.com';

function keyOf({ env }: Pick<ProviderEnvironment, 'env'>): string | null {
  const key = env['ANTHROPIC_API_KEY']?.trim() ?? '';
  return key === '' ? null : key;
}

function modelOf({ settings }: Pick<ProviderEnvironment, 'settings'>): string {
  return settings['anthropic.model'] ?? defaultModel;
}

/** @throws CollabError `options` for what is no address */
function baseUrlOf({ settings }: Pick<ProviderEnvironment, 'settings'>): URL {
  const written = settings['anthropic.base_url'] ?? defaultBaseUrl;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new CollabError('options', `providers.anthropic.base_url is no address: ${written}`, {
    hint: 'Write one such as https://gateway.example.org, or leave it out.',
  });
}
