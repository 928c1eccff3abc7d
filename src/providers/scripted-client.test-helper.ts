/** A client of specification 003 with scripted answers. */
import type { ProviderEvent } from './client/provider-event.ts';
import { AiClient, type Environment, type StreamOptions } from './client/ai-client.ts';
import type { AuthMode } from './contract/contract.ts';
import { newHistory } from './arbitrary-history.test-helper.ts';

export type Script = (options: StreamOptions, signal: AbortSignal) => AsyncIterable<ProviderEvent>;

export class ScriptedClient extends AiClient {
  static override readonly authMode: AuthMode = 'none';
  readonly requests: StreamOptions[] = [];
  readonly #script: Script;

  constructor(script: Script, env: Environment = {}) {
    super({ env });
    this.#script = script;
  }

  static override getProviderName(): string {
    return 'scripted';
  }

  static override getProfileDir(): string {
    return '/nowhere/scripted/ai_profile';
  }

  sendRequestStream(options: StreamOptions): AsyncIterable<ProviderEvent> {
    this.requests.push(options);
    return this.#script(options, this.signalOf(options));
  }
}

/** A client that answers every request with these events. */
export function clientSaying(...events: readonly unknown[]): ScriptedClient {
  return new ScriptedClient(() => saying(...events));
}

// oxlint-disable-next-line typescript/no-explicit-any
export async function* saying(...events: readonly any[]): AsyncGenerator<ProviderEvent, void, void> {
  yield* events;
}

export const request: StreamOptions = {
  modelId: 'model-1',
  history: newHistory(),
  currentTextInput: 'hello',
  currentFilePaths: [],
};

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
