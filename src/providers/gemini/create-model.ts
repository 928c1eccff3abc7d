/** One model of the Gemini API through the official SDK (`@google/genai` 2.32), which is loaded with it. */
import type { ApiConnection } from '../api/api-key-provider.ts';
import { apiModel, type Spoken } from '../api/api-model.ts';
import { listenTo } from '../client/listen-to.ts';
import { askAtOnce } from '../client/hearing.ts';
import type { Model, ModelTurn } from '../contract/model.ts';
import { buildRequest } from './build-request.ts';
import { classifyFault, readFault } from './errors.ts';
import { createHearing } from './hear-stream.ts';

export async function createModel(connection: ApiConnection): Promise<Model> {
  const { apiKey, baseUrl, env, model, profile, streams } = connection;
  const { FunctionCallingConfigMode, GoogleGenAI } = await import('@google/genai');
  const client = new GoogleGenAI({
    // With explicit values, the SDK does not search the environment of the process.
    apiKey,
    vertexai: false,
    ...(env['GEMINI_API_VERSION'] === undefined ? {} : { apiVersion: env['GEMINI_API_VERSION'] }),
    // No retry options: retries follow one policy, which is not here.
    httpOptions: { baseUrl },
  });
  const thinks = profile?.features.supports_reasoning ?? true;
  const speak = async (request: ModelTurn): Promise<Spoken> => {
    const hearing = createHearing(model, request.say);
    // The SDK leaves the connection open if its reader stops early.
    const left = new AbortController();
    const abortSignal = AbortSignal.any([request.signal, left.signal]);
    const body = buildRequest(model, request, {
      thinks,
      noCalls: FunctionCallingConfigMode.NONE,
      abortSignal,
    });
    try {
      const failed = await listenTo(
        async () =>
          streams
            ? client.models.generateContentStream(body)
            : [await askAtOnce(request.say, () => client.models.generateContent(body))],
        (chunk) => hearing.hear(chunk),
      );
      return { hearing, failed };
    } finally {
      left.abort();
    }
  };
  return apiModel(connection, speak, (failed, now) => classifyFault(readFault(failed), now));
}
