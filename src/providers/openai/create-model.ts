/** One model through the official SDK (`openai` 6.49), which is loaded with it. */
import type OpenAI from 'openai';
import type * as Sdk from 'openai';
import { CollabError } from '../../errors/collab-error.ts';
import { parseJson } from '../../text/parse-json.ts';
import { faultInSdk } from '../api/api-fault.ts';
import type { ApiConnection } from '../api/api-key-provider.ts';
import { apiModel, type Spoken } from '../api/api-model.ts';
import { listenTo } from '../client/listen-to.ts';
import type { Model, ModelTurn } from '../contract/model.ts';
import { buildChatRequest } from './chat-request.ts';
import { createChatHearing } from './chat-hearing.ts';
import { classifyFault } from './errors.ts';
import { askAtOnce } from '../client/hearing.ts';
import { buildResponsesRequest } from './responses-request.ts';
import { createResponsesHearing } from './responses-hearing.ts';

export async function createModel(connection: ApiConnection): Promise<Model> {
  const { apiKey, baseUrl, env, model, streams } = connection;
  const speak = interfaceOf(connection) === 'responses' ? speakResponses : speakChat;
  const sdk = await import('openai');
  const client = new sdk.default({
    apiKey,
    baseURL: baseUrl,
    // With explicit values, the SDK does not search the environment of the process.
    organization: env['OPENAI_ORG_ID'] ?? null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    // Retries follow one policy, which is not here; the SDK's own timeout also misses a stream that stalls.
    maxRetries: 0,
    timeout: longestMs,
    fetch: fetchWithErrors,
    logLevel: 'off',
  });
  return apiModel(
    connection,
    (request) => speak(client, request, { model, streams }),
    ({ error }, now) => classifyFault(faultInSdk(error, sdk, wordsOf), now),
  );
}

export type OpenAIInterface = 'responses' | 'chat_completions';

/** The SDK's timeout; the loop's limits end a request earlier. */
const longestMs = 2 ** 31 - 1;

/**
 * Returns the API to use. OpenAI's own models think and call tools only in the Responses API; every other compatible server
 * has Chat Completions (ADR 0026).
 *
 * @throws CollabError `options`
 */
export function interfaceOf({
  settings,
  isOwnBase,
}: Pick<ApiConnection, 'settings' | 'isOwnBase'>): OpenAIInterface {
  const asked = settings['openai.api'] ?? (isOwnBase ? 'chat_completions' : 'responses');
  if (asked === 'responses' || asked === 'chat_completions') return asked;
  throw new CollabError('options', `providers.openai.api is not an interface: ${asked}`, {
    hint: 'Write responses or chat_completions, or omit it.',
  });
}

type Asked = Pick<ApiConnection, 'model' | 'streams'>;

async function speakResponses(
  { responses }: OpenAI,
  request: ModelTurn,
  { model, streams }: Asked,
): Promise<Spoken> {
  const { signal, say } = request;
  const hearing = createResponsesHearing(model, say);
  const body = buildResponsesRequest(model, request);
  const failed = streams
    ? await listenTo(
        () => responses.create({ ...body, stream: true }, { signal }),
        (event) => hearing.hear(event),
      )
    : await listenTo(
        async () => {
          // The SDK's own reading of a whole response fails on fields that are null.
          const asked = responses.create({ ...body, stream: false }, { signal });
          const response = await askAtOnce(say, () => asked.asResponse());
          return [await response.json()];
        },
        (response) => hearing.hearWhole(response),
      );
  return { hearing, failed };
}

async function speakChat(
  { chat: { completions } }: OpenAI,
  request: ModelTurn,
  { model, streams }: Asked,
): Promise<Spoken> {
  const { signal, say } = request;
  const hearing = createChatHearing(model, say, !streams);
  const body = buildChatRequest(model, request);
  const streaming = { ...body, stream: true, stream_options: { include_usage: true } } as const;
  const failed = await listenTo<unknown>(
    async () =>
      streams
        ? completions.create(streaming, { signal })
        : [await askAtOnce(say, () => completions.create({ ...body, stream: false }, { signal }))],
    (completion) => hearing.hear(completion),
  );
  return { hearing, failed };
}

function wordsOf({ code, type, message }: InstanceType<typeof Sdk.APIError>) {
  return {
    type: typeof code === 'string' ? code : (type ?? numberedCode(code)),
    message: message.replace(/^\d{3} /, ''),
  };
}

/** Some gateways send `code` as a number. */
function numberedCode(code: unknown): string | null {
  return typeof code === 'number' ? String(code) : null;
}

/** Some servers send an error without the object `error` around it; the SDK would lose its words. */
async function fetchWithErrors(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok) return response;
  const text = await response.text();
  const { status, headers } = response;
  const body = parseJson(text);
  const isBare = typeof body === 'object' && body !== null && !('error' in body);
  return new Response(isBare ? JSON.stringify({ error: body }) : text, { status, headers });
}
