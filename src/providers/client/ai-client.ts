/**
 * Specification 003's client. An author writes `sendRequestStream` and the two static names; all else folds that stream, and
 * may be overridden.
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { missingKeyText, ValueError } from '../../errors/provider-error.ts';
import type {
  IAgentContext,
  IProvider,
  ITool,
  ProviderPiece,
  ProviderResponse,
} from '../../tools/definition/interfaces.ts';
import type { FunctionExecution, ProviderEvent } from './provider-event.ts';
import type { ClientContext } from './client-context.ts';
import type { AuthMode } from '../contract/contract.ts';
import { foldStream, isClientResponse, replayResponse, type ClientResponse } from './fold-stream.ts';
import type { ConversationHistory } from '../history/history.ts';
import { lawfulStream } from './lawful-stream.ts';
import { maskApiKey } from './mask-api-key.ts';
import { findProfile, readProfiles } from '../profiles/profile-folder.ts';
import type { ModelParameters } from '../contract/model.ts';
import { appendMessage } from '../history/history-edit.ts';
import { newMessageId } from '../history/history.ts';
import { requestParameters } from '../profiles/request-parameters.ts';
import type { Profile } from '../profiles/profile.ts';
import { toPieces, toRequest } from './client-interfaces.ts';
import { foldPieces } from './fold-pieces.ts';

export interface RequestOptions {
  readonly modelId: string;
  readonly history: ConversationHistory;
  /** Empty where the history ends with the results of calls. */
  readonly currentTextInput: string;
  readonly currentFilePaths: readonly string[];
  /** 0 to 2; absent: 0.7, or nothing where the model takes none (X003-11). */
  readonly temperature?: number;
  /** Tokens; for models that think. */
  readonly thinkingBudget?: number;
  readonly tools?: readonly ITool[];
  readonly systemPrompt?: string;
  /** Parameters of this provider alone. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface StreamOptions extends RequestOptions {
  readonly abortSignal?: AbortSignal;
}

export interface FollowUpOptions extends Omit<RequestOptions, 'currentTextInput' | 'currentFilePaths'> {
  /** What came of the calls, as messages of the role `tool`. */
  readonly functionResponseParts: readonly FunctionResponsePart[];
}

export interface FunctionResponsePart {
  readonly tool_call_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface AiClientOptions {
  /** Default: the process's own. */
  readonly env?: Environment;
}

/** What a client makes of those things that only a bare model at an API takes as they are. */
export interface ClientAbilities {
  /**
   * `converted`: to messages of the vendor. `told`: an agent keeps a session of its own; the thread stands in its prompt as text.
   * `none`: what was said before changes nothing in its answer.
   */
  readonly history: 'converted' | 'told' | 'none';
  /** `callers`: it asks for the caller's tools to be called. `own`: it runs its own and refuses the caller's. `none`: it has none. */
  readonly tools: 'callers' | 'own' | 'none';
  /** `api_base`: its requests go where `[NAME]_API_BASE` says. `own`: a program sends them, or there are none. */
  readonly requests: 'api_base' | 'own';
}

/** The statics of a client's class. */
export interface AiClientClass {
  new (options?: AiClientOptions): AiClient;
  /** The name of the provider's folder. */
  getProviderName(): string;
  /** Absolute path of its `ai_profile`. */
  getProfileDir(): string;
  /** Absent: `api_key`. */
  readonly authMode?: AuthMode;
  /** Absent: those of a bare model. */
  readonly abilities?: ClientAbilities;
}

/** Where a class says nothing else. */
export const modelAbilities: ClientAbilities = {
  history: 'converted',
  tools: 'callers',
  requests: 'api_base',
};

export abstract class AiClient implements IProvider {
  static readonly authMode: AuthMode = 'api_key';
  /** Of a client with `cli_login`: what must be on PATH (X003-16). */
  static readonly program: string | null = null;
  static readonly abilities: ClientAbilities = modelAbilities;

  readonly name: string;
  protected readonly env: Environment;
  /** Null where none is set and none is needed. */
  protected readonly apiKey: string | null;
  protected readonly apiBase: string | null;
  protected readonly apiVersion: string | null;
  protected readonly orgId: string | null;
  readonly #profileDir: string;
  #streaming = new AbortController();

  static getProviderName(): string {
    throw new ValueError('getProviderName() must give the name of the folder');
  }

  static getProfileDir(): string {
    throw new ValueError('getProfileDir() must give the absolute path of ai_profile');
  }

  /** @throws ValueError where `[NAME]_API_KEY` is needed and not set (R003-10) */
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
   * One turn of the model: text, thinking and the calls that it asks for, then `complete`. It runs no tools.
   * @throws ValueError for bad parameters, APIError for a failed call; or gives an `error` event
   */
  abstract sendRequestStream(options: StreamOptions): AsyncIterable<ProviderEvent>;

  /** @throws as `sendRequestStream` */
  async sendRequest(options: RequestOptions): Promise<unknown> {
    return foldStream(lawfulStream(() => this.sendRequestStream(options)));
  }

  /** Of what `sendRequest` gave. */
  extractResponseText(response: unknown): string {
    return this.#responseOf(response).text;
  }

  /** The last answer, and what was run for it. */
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

  /** The turn of the one tool loop: `context` brings it. */
  handleFunctionCallsStream(
    streamResponse: AsyncIterable<ProviderEvent>,
    modelId: string,
    history: ConversationHistory,
    context: ClientContext,
  ): AsyncIterable<ProviderEvent> {
    return context.perform_calls({ client: this, stream: streamResponse, modelId, history, context });
  }

  /** Sends what came of calls and gives the answer, as `sendRequest`. */
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

  /** Specification 004's way to ask. The model is `defaultModel()`. @throws AgentPainException, CollabError `cancelled` */
  async generate(prompt: string, context: IAgentContext): Promise<ProviderResponse> {
    return foldPieces(this.stream(prompt, context));
  }

  /** As `generate`, piece by piece. */
  stream(prompt: string, context: IAgentContext): AsyncIterable<ProviderPiece> {
    const names = { model: this.defaultModel(), platform: this.name, conversationId: this.name };
    const request = toRequest(prompt, context, names);
    return toPieces(lawfulStream(() => this.sendRequestStream(request), request.abortSignal));
  }

  /** Where nobody names one: the first of the profiles by name. */
  defaultModel(): string {
    const first = readProfiles(this.#profileDir, this.name)[0]?.profile;
    if (first === undefined || first === null) throw new ValueError(`${this.name} has no profile of a model`);
    return first.basic_info.id;
  }

  /** Null for a model without a profile. */
  profileOf(modelId: string): Profile | null {
    return findProfile(this.#profileDir, this.name, modelId);
  }

  /** What may be sent to this model. @throws ValueError for what may not */
  protected parametersOf(options: RequestOptions): ModelParameters {
    return requestParameters(options, this.profileOf(options.modelId));
  }

  /** Aborts with the caller's signal and with `abortStreaming`. Give it to whatever makes the request. */
  protected signalOf({ abortSignal }: StreamOptions): AbortSignal {
    const own = this.#streaming.signal;
    return abortSignal === undefined ? own : AbortSignal.any([abortSignal, own]);
  }

  /** Of `[NAME]_<suffix>`; null where it is not set or blank. */
  #setting(suffix: string): string | null {
    const value = this.env[variableOf(this.name, suffix)]?.trim() ?? '';
    return value === '' ? null : value;
  }

  #responseOf(response: unknown): ClientResponse {
    if (isClientResponse(response)) return response;
    throw new ValueError(`this is no answer that ${this.name} gave`, {
      hint: 'A client with a sendRequest of its own needs its own extractResponseText and handleFunctionCalls.',
    });
  }
}

/** `AZURE_OPENAI_API_KEY` of `azure_openai` and `API_KEY` (R003-44). */
export function variableOf(provider: string, suffix: string): string {
  return `${provider.toUpperCase()}_${suffix}`;
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
