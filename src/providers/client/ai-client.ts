/**
 * Specification 003's client. An author writes `sendRequestStream` and the two static names; all other methods fold that
 * stream and may be overridden.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { missingKeyText, ValueError } from '../../errors/provider-error.ts';
import type {
  ITool,
  ProviderResponse,
  ProviderPiece,
  IAgentContext,
  IProvider,
} from '../../tools/definition/interfaces.ts';
import type { FunctionExecution, ProviderEvent } from './provider-event.ts';
import type { ClientContext } from './client-context.ts';
import type { AuthMode } from '../contract/contract.ts';
import { isClientResponse, replayResponse, foldStream, type ClientResponse } from './fold-stream.ts';
import { newMessageId, type ConversationHistory } from '../history/history.ts';
import { lawfulStream } from './lawful-stream.ts';
import { readProfiles, findProfile } from '../profiles/profile-folder.ts';
import type { ModelParameters } from '../contract/model.ts';
import { appendMessage } from '../history/history-edit.ts';
import { requestParameters } from '../profiles/request-parameters.ts';
import type { Profile } from '../profiles/profile.ts';
import { digestOf } from '../../text/digest.ts';
import { toRequest, toPieces } from './client-interfaces.ts';
import { foldPieces } from './fold-pieces.ts';

export interface RequestOptions {
  readonly modelId: string;
  readonly history: ConversationHistory;
  /** Empty if the history ends with the results of calls. */
  readonly currentTextInput: string;
  readonly currentFilePaths: readonly string[];
  /** 0 to 2. Default: 0.7, or nothing if the model takes none (X003-11). */
  readonly temperature?: number;
  /** Tokens, for models that think. */
  readonly thinkingBudget?: number;
  readonly tools?: readonly ITool[];
  readonly systemPrompt?: string;
  /** Parameters specific to this provider. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface StreamOptions extends RequestOptions {
  readonly abortSignal?: AbortSignal;
}

export interface FollowUpOptions extends Omit<RequestOptions, 'currentTextInput' | 'currentFilePaths'> {
  /** The results of the calls, as messages of the role `tool`. */
  readonly functionResponseParts: readonly FunctionResponsePart[];
}

export interface FunctionResponsePart {
  readonly tool_call_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}

/** Uploads a tool set under its content hash; resolves with the API's own id if it has one. */
export type UploadTools = (hash: string) => Promise<string | undefined>;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface AiClientOptions {
  /** Default: the process's own. */
  readonly env?: Environment;
}

/** How a client handles features that only a bare model at an API supports directly. */
export interface ClientAbilities {
  /**
   * `converted`: the history becomes the vendor's messages. `told`: an agent has its own session, so the thread is in its
   * prompt as text. `none`: earlier messages do not affect the answer.
   */
  readonly history: 'converted' | 'told' | 'none';
  /** `callers`: it requests calls of the caller's tools. `own`: it runs its own and refuses the caller's. `none`: it has none. */
  readonly tools: 'callers' | 'own' | 'none';
  /** `api_base`: its requests go to `[NAME]_API_BASE`. `own`: a program sends them, or there are none. */
  readonly requests: 'api_base' | 'own';
}

/** The static members of a client's class. */
export interface AiClientClass {
  new (options?: AiClientOptions): AiClient;
  /** The name of the provider's folder. */
  getProviderName(): string;
  /** Absolute path of its `ai_profile`. */
  getProfileDir(): string;
  /** Default: `api_key`. */
  readonly authMode?: AuthMode;
  /** Default: those of a bare model. */
  readonly abilities?: ClientAbilities;
}

/** The default abilities. */
export const modelAbilities: ClientAbilities = {
  history: 'converted',
  tools: 'callers',
  requests: 'api_base',
};

export abstract class AiClient implements IProvider {
  static readonly authMode: AuthMode = 'api_key';
  /** For a client with `cli_login`: the program that must be on PATH (X003-16). */
  static readonly program: string | null = null;
  static readonly abilities: ClientAbilities = modelAbilities;

  readonly name: string;
  protected readonly env: Environment;
  /** The API key; null if none is set and none is needed. */
  protected readonly apiKey: string | null;
  protected readonly apiBase: string | null;
  protected readonly apiVersion: string | null;
  protected readonly orgId: string | null;
  readonly #profileDir: string;
  /** The ids of the tool sets that this client uploaded, by content hash. */
  readonly #uploads = new Map<string, Promise<string>>();
  #streaming = new AbortController();

  static getProviderName(): string {
    throw new ValueError('getProviderName() must return the folder name');
  }

  static getProfileDir(): string {
    throw new ValueError('getProfileDir() must return the absolute path of ai_profile');
  }

  /** @throws ValueError if `[NAME]_API_KEY` is needed and not set (R003-10) */
  constructor({ env = process.env }: AiClientOptions = {}) {
    const { authMode, program } = new.target;
    this.name = new.target.getProviderName();
    this.#profileDir = new.target.getProfileDir();
    this.env = env;
    this.apiKey = this.#setting('API_KEY');
    this.apiBase = this.#setting('API_BASE');
    this.apiVersion = this.#setting('API_VERSION');
    this.orgId = this.#setting('ORG_ID');
    if (authMode === 'api_key' && this.apiKey === null) {
      throw new ValueError(missingKeyText(variableOf(this.name, 'API_KEY')), { code: 'auth' });
    }
    if (authMode === 'cli_login' && program !== null && !isOnPath(program, env)) {
      throw new ValueError(`${program} is not on PATH`, {
        code: 'cli_missing',
        hint: `Install it, and log in with it: ${this.name} needs no key.`,
      });
    }
  }

  /**
   * Streams one turn of the model: text, thinking and requested calls, then `complete`. Runs no tools.
   * @throws ValueError for bad parameters, APIError for a failed call; or yields an `error` event
   */
  abstract sendRequestStream(options: StreamOptions): AsyncIterable<ProviderEvent>;

  /** @throws like `sendRequestStream` */
  async sendRequest(options: RequestOptions): Promise<unknown> {
    return foldStream(lawfulStream(() => this.sendRequestStream(options)));
  }

  /** Returns the text of a `sendRequest` response. */
  extractResponseText(response: unknown): string {
    return this.#responseOf(response).text;
  }

  /** Returns the last answer and the calls that were run for it. */
  async handleFunctionCalls(
    response: unknown,
    modelId: string,
    history: ConversationHistory,
    context: ClientContext,
  ): Promise<readonly [final: unknown, executions: readonly FunctionExecution[]]> {
    const stream = replayResponse(this.#responseOf(response));
    const executions: FunctionExecution[] = [];
    const noted = noteExecutions(
      this.handleFunctionCallsStream(stream, modelId, history, context),
      executions,
    );
    return [await foldStream(noted), executions];
  }

  /** Runs the tool loop's turn, which `context` supplies. */
  handleFunctionCallsStream(
    streamResponse: AsyncIterable<ProviderEvent>,
    modelId: string,
    history: ConversationHistory,
    context: ClientContext,
  ): AsyncIterable<ProviderEvent> {
    return context.perform_calls({ client: this, stream: streamResponse, modelId, history, context });
  }

  /** Sends the results of calls and returns the answer, like `sendRequest`. */
  async sendFunctionResponse({
    functionResponseParts,
    history,
    ...options
  }: FollowUpOptions): Promise<unknown> {
    const answered = functionResponseParts.reduce<ConversationHistory>(
      (grown, part) =>
        appendMessage(
          grown,
          { role: 'tool', ...part },
          { id: newMessageId(Math.random), now: new Date().toISOString() },
        ),
      history,
    );
    return this.sendRequest({ ...options, history: answered, currentTextInput: '', currentFilePaths: [] });
  }

  /** Ends every stream that listens to `signalOf`. */
  abortStreaming(): void {
    this.#streaming.abort();
    this.#streaming = new AbortController();
  }

  getMaskedApiKey(): string {
    return maskApiKey(this.apiKey ?? '');
  }

  /**
   * Implements specification 004's request, with the model `defaultModel()`. @throws AgentPainException, CollabError
   * `cancelled`
   */
  async generate(prompt: string, context: IAgentContext): Promise<ProviderResponse> {
    return foldPieces(this.stream(prompt, context));
  }

  /** Streams the answer of `generate` in pieces. */
  stream(prompt: string, context: IAgentContext): AsyncIterable<ProviderPiece> {
    const names = { model: this.defaultModel(), platform: this.name, conversationId: this.name };
    const request = toRequest(prompt, context, names);
    return toPieces(lawfulStream(() => this.sendRequestStream(request), request.abortSignal));
  }

  /** Returns the model to use if none is named: the first profile by name. */
  defaultModel(): string {
    const first = readProfiles(this.#profileDir, this.name)[0]?.profile;
    if (first === undefined || first === null) throw new ValueError(`${this.name} has no model profile`);
    return first.basic_info.id;
  }

  /** Returns null for a model without a profile. */
  profileOf(modelId: string): Profile | null {
    return findProfile(this.#profileDir, this.name, modelId);
  }

  /** Returns the parameters to send to this model. @throws ValueError for a parameter that it does not take */
  protected parametersOf(options: RequestOptions): ModelParameters {
    return requestParameters(options, this.profileOf(options.modelId));
  }

  /**
   * Returns a signal that aborts with the caller's signal and with `abortStreaming`. Pass it to the code that makes the
   * request.
   */
  protected signalOf({ abortSignal }: StreamOptions): AbortSignal {
    const own = this.#streaming.signal;
    return abortSignal === undefined ? own : AbortSignal.any([abortSignal, own]);
  }

  /**
   * Resolves with the id of these tools, for an API that keeps tool sets: the content hash of the set, or the id that
   * `upload` returns (R004-11). Calls `upload` once for each set; again after a failure.
   */
  protected toolsIdOf(tools: readonly ITool[], upload: UploadTools): Promise<string> {
    const hash = hashOfTools(tools);
    const known = this.#uploads.get(hash);
    if (known !== undefined) return known;
    const uploaded = upload(hash).then((id) => id ?? hash);
    this.#uploads.set(hash, uploaded);
    uploaded.catch(() => this.#uploads.delete(hash));
    return uploaded;
  }

  /** Returns `[NAME]_<suffix>`; null if it is unset or blank. */
  #setting(suffix: string): string | null {
    const value = this.env[variableOf(this.name, suffix)]?.trim() ?? '';
    return value === '' ? null : value;
  }

  #responseOf(response: unknown): ClientResponse {
    if (isClientResponse(response)) return response;
    throw new ValueError(`this is not an answer of ${this.name}`, {
      hint: 'Also override extractResponseText and handleFunctionCalls if you override sendRequest.',
    });
  }
}

/** Returns the variable's name: `AZURE_OPENAI_API_KEY` for `azure_openai` and `API_KEY` (R003-44). */
export function variableOf(provider: string, suffix: string): string {
  return `${provider.toUpperCase()}_${suffix}`;
}

/** Equal tools have the same hash in any order. */
function hashOfTools(tools: readonly ITool[]): string {
  const described = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return digestOf(described.toSorted((left, right) => (left.name < right.name ? -1 : 1)));
}

function isOnPath(program: string, { PATH = '' }: Environment): boolean {
  return PATH.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}

async function* noteExecutions(
  stream: AsyncIterable<ProviderEvent>,
  executions: FunctionExecution[],
): AsyncGenerator<ProviderEvent, void, void> {
  for await (const event of stream) {
    if (event.type === 'function_execution_complete') executions.push(event.execution);
    yield event;
  }
}

/** Returns a key that is safe to show: `sk-...abc123` (X003-18). */
export function maskApiKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 3)}...${key.slice(-6)}`;
}
