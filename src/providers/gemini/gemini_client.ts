/** `gemini`: a Google model through the Gemini API. It reads and advises as a lead; it changes no files. */
import { apiKeyProvider } from '../api/api-key-provider.ts';
import { ModelClient } from '../client/model-client.ts';
import { createModel } from './create-model.ts';

/** Google's alias for the newest of its large models. */
const defaultModel = 'gemini-pro-latest';

export const geminiProvider = apiKeyProvider({
  name: 'gemini',
  displayName: 'Gemini',
  defaultModel,
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  optionalSdk: '@google/genai',
  pathOf: ({ env, model }) => `/${env['GEMINI_API_VERSION'] ?? 'v1beta'}/models/${model}`,
  connect: createModel,
});

/** Specification 003's client for the same provider. */
export class GeminiClient extends ModelClient {
  protected readonly provider = geminiProvider;

  static override getProviderName(): string {
    return 'gemini';
  }

  override defaultModel(): string {
    return defaultModel;
  }
}
