/**
 * One model of the Messages API. The SDK is loaded with it, because its import takes longer than the rest of a `collab` start.
 */
import { faultInSdk } from '../api/api-fault.ts';
import type { ApiConnection } from '../api/api-key-provider.ts';
import { apiModel, type Spoken } from '../api/api-model.ts';
import { askAtOnce } from '../client/hearing.ts';
import { listenTo } from '../client/listen-to.ts';
import type { Model, ModelTurn } from '../contract/model.ts';
import { buildRequest } from './build-request.ts';
import { classifyFault } from './errors.ts';
import { createHearing } from './hear-stream.ts';

export async function createModel(connection: ApiConnection): Promise<Model> {
  const { apiKey, baseUrl, model, streams } = connection;
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
  const speak = async (request: ModelTurn): Promise<Spoken> => {
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
    return { hearing, failed };
  };
  return apiModel(connection, speak, ({ error }, now) => {
    const fault = faultInSdk(error, sdk, ({ type, apiMessage, message }) => ({
      type,
      message: apiMessage ?? message,
    }));
    return classifyFault(fault, now);
  });
}

/** The SDK's timeout; the loop's limits end a request earlier. */
const longestMs = 2 ** 31 - 1;
