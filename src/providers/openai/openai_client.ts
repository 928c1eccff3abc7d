/** `openai`: a model of OpenAI, or of any compatible endpoint. It reads and advises as a lead; it changes no files. */
import { apiKeyProvider } from '../api/api-key-provider.ts';
import { ModelClient } from '../client/model-client.ts';
import { createModel } from './create-model.ts';

const defaultModel = 'gpt-5.6-sol';

export const openaiProvider = apiKeyProvider({
  name: 'openai',
  displayName: 'OpenAI',
  defaultModel,
  defaultBaseUrl: 'https://api.openai.com/v1',
  optionalSdk: 'openai',
  connect: createModel,
});

/** Specification 003's client for the same provider. */
export class OpenAIClient extends ModelClient {
  protected readonly provider = openaiProvider;

  static override getProviderName(): string {
    return 'openai';
  }

  override defaultModel(): string {
    return defaultModel;
  }
}
