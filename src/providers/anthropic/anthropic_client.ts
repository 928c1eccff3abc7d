/** `anthropic`: a Claude model through the Messages API. It reads and advises as a lead; it changes no files. */
import { apiKeyProvider } from '../api/api-key-provider.ts';
import { ModelClient } from '../client/model-client.ts';
import { createModel } from './create-model.ts';

export const defaultModel = 'claude-opus-5-5';

export const anthropicProvider = apiKeyProvider({
  name: 'anthropic',
  displayName: 'Claude',
  defaultModel,
  defaultBaseUrl: 'https://api.anthropic.com',
  pathOf: () => '/v1/messages',
  connect: createModel,
});

/** Specification 003's client for the same provider. */
export class AnthropicClient extends ModelClient {
  protected readonly provider = anthropicProvider;

  static override getProviderName(): string {
    return 'anthropic';
  }

  override defaultModel(): string {
    return defaultModel;
  }
}
