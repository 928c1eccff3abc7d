/** `openai`: a model of OpenAI, or of any compatible endpoint. It reads and advises as a lead; it changes no files. */
import { apiKeyProvider } from '../api/api-key-provider.ts';
import { ModelClient } from '../client/model-client.ts';
import type { AiClientOptions } from '../client/ai-client.ts';
import { createModel, interfaceOf, type OpenAIInterface } from './create-model.ts';

const defaultModel = 'gpt-5.6-sol';

export const openaiProvider = apiKeyProvider({
  name: 'openai',
  displayName: 'OpenAI',
  defaultModel,
  defaultBaseUrl: 'https://api.openai.com/v1',
  optionalSdk: 'openai',
  pathOf: (connection) => (interfaceOf(connection) === 'responses' ? '/responses' : '/chat/completions'),
  connect: createModel,
});

export interface OpenAIClientOptions extends AiClientOptions {
  /** Default: `responses` at OpenAI's own address, `chat_completions` at any other. */
  readonly api?: OpenAIInterface;
}

/** Specification 003's client for the same provider. */
export class OpenAIClient extends ModelClient {
  protected readonly provider = openaiProvider;
  protected override readonly settings: Readonly<Record<string, string>>;

  constructor({ api, ...options }: OpenAIClientOptions = {}) {
    super(options);
    this.settings = api === undefined ? {} : { 'openai.api': api };
  }

  static override getProviderName(): string {
    return 'openai';
  }

  override defaultModel(): string {
    return defaultModel;
  }
}
