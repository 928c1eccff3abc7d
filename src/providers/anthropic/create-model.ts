/**
 * One model of the Messages API. The SDK is loaded with it, because its import takes longer than the rest of a `collab` start.
 */
import type Anthropic from '@anthropic-ai/sdk';
import type * as Sdk from '@anthropic-ai/sdk';
import type { Message, MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Usage } from '../../events/collab-event.ts';
import { systemClock } from '../../system/clock.ts';
import type { ApiFault } from '../api/api-fault.ts';
import type { ApiConnection } from '../api/api-key-provider.ts';
import { askAtOnce, brokenOff } from '../api/hearing.ts';
import { listenTo } from '../api/listen-to.ts';
import { priced } from '../profiles/pricing.ts';
import type { Model, ModelEnd, ModelTurn } from '../contract/model.ts';
import { buildRequest } from './build-request.ts';
import { classifyFault } from './errors.ts';
import { createHearing, hearWhole } from './hear-stream.ts';
import { readReply, readUsage } from './read-reply.ts';

export async function createModel({
  apiKey,
  baseUrl,
  model,
  identity,
  profile,
  streams,
}: ApiConnection): Promise<Model> {
  const sdk = await import('@anthropic-ai/sdk');
  const client = new sdk.default({
    // With an explicit key and address, the SDK searches neither the environment nor a profile on disk.
    apiKey,
    baseURL: baseUrl,
    // Retries follow one policy, which is not here; the SDK's own timeout also misses a stream that stalls.
    maxRetries: 0,
    timeout: longestMs,
    logLevel: 'off',
    openTelemetry: false,
  });
  const faultOf = createFaultReader(sdk);
  return {
    identity,
    async turn(request) {
      request.signal.throwIfAborted();
      const outcome = await (streams ? stream : askForWhole)(client, model, request);
      request.signal.throwIfAborted();
      const usage = outcome.usage === null ? null : priced(outcome.usage, profile?.pricing);
      return 'message' in outcome
        ? { end: endOf(outcome.message), usage }
        : { end: classifyFault(faultOf(outcome.error), systemClock.now()), usage };
    },
    close: async () => {},
  };
}

/** The SDK's timeout; the loop's limits end a request earlier. */
const longestMs = 2 ** 31 - 1;

type Outcome = { readonly usage: Usage | null } & (
  | { readonly message: Message }
  | { readonly error: unknown }
);

async function stream(client: Anthropic, model: string, request: ModelTurn): Promise<Outcome> {
  const messages = client.messages.stream(buildRequest(model, request), { signal: request.signal });
  const heard = hearOnce(model, request, () => messages.abort());
  messages.on('connect', () => heard.guard(() => request.say({ kind: 'alive' })));
  messages.on('streamEvent', (event, snapshot) => heard.guard(() => heard.see(event, snapshot)));
  try {
    const message = await messages.finalMessage();
    heard.rethrow();
    return { message, usage: heard.usage() };
  } catch (error) {
    heard.rethrow();
    return { error, usage: heard.usage() };
  }
}

async function askForWhole(client: Anthropic, model: string, request: ModelTurn): Promise<Outcome> {
  const { signal, say } = request;
  const body = { ...buildRequest(model, request), stream: false as const };
  let outcome: Outcome = { error: null, usage: null };
  const failed = await listenTo(
    async () => [checked(await askAtOnce(say, () => client.messages.create(body, { signal })))],
    (message) => {
      hearWhole(message, say);
      outcome = { message, usage: readUsage(message.usage, message.model || model) };
    },
  );
  return failed === null ? outcome : { error: failed.error, usage: null };
}

/** Checks a message; the SDK returns invalid JSON as a string. */
function checked(message: Message): Message {
  if (Array.isArray(message.content)) return message;
  throw new Error('the answer is no message');
}

/**
 * Listens to one stream. An error thrown by a listener is our own, not the API's: it ends the request and is rethrown after
 * that.
 */
function hearOnce(model: string, { say }: ModelTurn, leave: () => void) {
  const hear = createHearing(say);
  let usage: Usage | null = null;
  let ours: { readonly error: unknown } | null = null;
  return {
    see(event: MessageStreamEvent, snapshot: Message): void {
      usage = readUsage(snapshot.usage, snapshot.model || model);
      hear(event);
    },
    guard(body: () => void): void {
      try {
        if (ours === null) body();
      } catch (error) {
        ours = { error };
        leave();
      }
    },
    rethrow(): void {
      if (ours !== null) throw ours.error;
    },
    usage: (): Usage | null => usage,
  };
}

/** Returns how the message ended. A message that is complete but has no stop reason was broken off. */
function endOf(message: Message): ModelEnd {
  return message.stop_reason === null ? brokenOff : readReply(message);
}

function createFaultReader({
  APIError,
  APIConnectionError,
}: Pick<typeof Sdk, 'APIError' | 'APIConnectionError'>) {
  return (error: unknown): ApiFault => {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof APIError)) {
      return { status: undefined, type: null, message, headers: undefined, unreachable: false };
    }
    return {
      status: error.status,
      type: error.type,
      message: error.apiMessage ?? message,
      headers: error.headers,
      unreachable: error instanceof APIConnectionError,
    };
  };
}
