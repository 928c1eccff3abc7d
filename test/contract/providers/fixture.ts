/**
 * The suite's needs from a provider with a vendor's SDK: its scripted upstream, and the differences between vendors.
 */
import { onTestFinished } from 'vitest';
import type { AiClient, AiClientClass, StreamOptions } from '../../../src/providers/client/ai-client.ts';
import type { ModelProvider } from '../../../src/providers/contract/contract.ts';
import { toHistory } from '../../../src/providers/history/messages-history.ts';
import type { Model, ModelMessage, ModelSign, ModelTurn } from '../../../src/providers/contract/model.ts';
import type { Usage } from '../../../src/events/collab-event.ts';
import type { attachedFiles } from './attached-files.ts';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import type { ScriptedServer } from '../../upstream/scripted-server.ts';
import type { Script } from '../../upstream/steps.ts';

export type Upstream = Pick<ScriptedServer<never>, 'requests' | 'openTurns' | 'untilRequests' | 'close'>;

export type VendorUpstream = Upstream & {
  readonly url: string;
};

/** A vendor server's behavior, and the resulting end of a turn. */
export type Fault = readonly [name: string, step: MessagesStep, end: object];

export type AttachedFile = keyof typeof attachedFiles;

export interface ProviderFixture {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly Client: AiClientClass;
  readonly settings?: Readonly<Record<string, string>>;
  start(script: Script<MessagesStep>): Promise<VendorUpstream>;
  /** The path of a request to the model, below the address. */
  readonly path: string;
  /** The cost of an answer with the upstream's default figures. */
  readonly usage: Omit<Usage, 'model' | 'cost' | 'cost_basis'>;
  /** In addition to the common ones. */
  readonly faults: readonly Fault[];
  /** Attached files in the body of a request, or the message that refuses them. */
  readonly attached: Readonly<Record<AttachedFile, object | string>>;
  /** Parameters of its own that its default model accepts, and their places in the body. */
  readonly extra: readonly [given: Readonly<Record<string, unknown>>, sent: object];
  /**
   * A model that thinks for 2048 tokens, and the place of that number in the body; null if it does not measure its
   * thinking in tokens.
   */
  readonly budget: readonly [model: string, sent: object] | null;
  /** True if its SDK shows the headers of a refusal. */
  readonly showsHeaders: boolean;
  /** The body of a request, without a server. */
  convert(messages: readonly ModelMessage[]): unknown;
  /** The reason why the vendor would refuse this body; null if it would not. */
  refusalOf(body: unknown): string | null;
  /** Bodies that the vendor refuses. */
  readonly refused: Readonly<Record<string, unknown>>;
}

export async function upstreamOf(
  fixture: ProviderFixture,
  ...steps: readonly MessagesStep[]
): Promise<VendorUpstream> {
  const upstream = await fixture.start(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  return upstream;
}

/** Its client with a first request, at a server that plays these steps. */
export async function clientOf(fixture: ProviderFixture, ...steps: readonly MessagesStep[]) {
  const upstream = await upstreamOf(fixture, ...steps);
  const client = new fixture.Client({ env: environmentOf(fixture.name, upstream.url) });
  return { client, request: firstRequest(client), upstream };
}

export function firstRequest(client: AiClient): StreamOptions {
  const modelId = client.defaultModel();
  const history = toHistory([], { model: modelId, platform: client.name, conversationId: 'c' });
  return { modelId, history, currentTextInput: 'go', currentFilePaths: [] };
}

export function openModel({ name, provider, settings }: ProviderFixture, url: string): Promise<Model> {
  return provider.openModel({
    env: environmentOf(name, url),
    cwd: '/nowhere',
    settings: settings ?? {},
    signal: new AbortController().signal,
    model: null,
  });
}

/** The key and the address under their names of specification 003. */
export function environmentOf(name: string, url: string): Readonly<Record<string, string>> {
  const provider = name.split(' ', 1)[0]?.toUpperCase() ?? '';
  return { [`${provider}_API_KEY`]: 'key-for-tests', [`${provider}_API_BASE`]: url };
}

export function turnOf(heard: ModelSign[], own: Partial<ModelTurn> = {}): ModelTurn {
  return {
    system: '',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
    tools: [],
    toolChoice: 'auto',
    signal: new AbortController().signal,
    say: (sign) => void heard.push(sign),
    ...own,
  };
}
