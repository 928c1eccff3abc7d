/**
 * One model of the Messages API. The SDK is loaded with it, because its import takes longer than the rest of a `collab` start.
 */
import type * as Sdk from '@anthropic-ai/sdk';
import { systemClock } from '../../system/clock.ts';
import type { ApiFault } from '../api/api-fault.ts';
import type { ApiConnection } from '../api/api-key-provider.ts';
import { askAtOnce } from '../client/hearing.ts';
import { listenTo } from '../client/listen-to.ts';
import { priced } from '../profiles/pricing.ts';
import type { Model } from '../contract/model.ts';
import { buildRequest } from './build-request.ts';
import { classifyFault } from './errors.ts';
import { createHearing } from './hear-stream.ts';

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
      const { signal, say } = request;
      const hearing = createHearing(model, say);
      const body = buildRequest(model, request);
      const failed = streams
        ? await listenTo(
            async () => {
              const events = await client.messages.create({ ...body, stream: true }, { signal });
              say({ kind: 'alive' });
              return events;
            },
            (event) => hearing.hear(event),
          )
        : await listenTo(
            async () => [
              await askAtOnce(say, () => client.messages.create({ ...body, stream: false }, { signal })),
            ],
            (message) => hearing.hearWhole(message),
          );
      signal.throwIfAborted();
      const usage = hearing.usage();
      return {
        end: failed === null ? hearing.end() : classifyFault(faultOf(failed.error), systemClock.now()),
        usage: usage === null ? null : priced(usage, profile?.pricing),
      };
    },
    close: async () => {},
  };
}

/** The SDK's timeout; the loop's limits end a request earlier. */
const longestMs = 2 ** 31 - 1;

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
