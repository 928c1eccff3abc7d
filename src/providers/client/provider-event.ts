/**
 * The ten events of specification 003, which are all that a provider streams. Field names are those of the wire.
 * Fields that it lacks and that a strict reader may ignore are in `Extension` types (X003-5).
 */

export interface TextChunk {
  readonly type: 'text_chunk';
  readonly text: string;
  /** True if the text follows a function call. */
  readonly is_follow_up: boolean;
}

export interface ThinkingChunk {
  readonly type: 'thinking_chunk';
  readonly text: string;
}

export interface UiInfo {
  readonly has_ui: boolean;
  readonly html_file?: string | undefined;
}

export interface FunctionCallStart extends CallExtension {
  readonly type: 'function_call_start';
  /** The tool's registered name. */
  readonly function_name: string;
  /** Name for display. */
  readonly tool_name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ui_info?: UiInfo | undefined;
}

export interface ToolProgress extends CallExtension {
  readonly type: 'tool_progress';
  readonly tool: string;
  readonly message: string;
}

/** `count` executions follow before `sending_function_response` (X003-6). */
export interface FunctionExecutionStart {
  readonly type: 'function_execution_start';
  readonly count: number;
}

/** A call that was run, with its result. */
export interface FunctionExecution extends CallExtension {
  readonly function_name: string;
  readonly tool_name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly has_ui: boolean;
  readonly ui_info: UiInfo | null;
}

export interface FunctionExecutionComplete {
  readonly type: 'function_execution_complete';
  readonly execution: FunctionExecution;
}

export interface SendingFunctionResponse {
  readonly type: 'sending_function_response';
}

/** `text` joins all text chunks of the call, including those after function calls (X003-4). */
export interface Complete extends EndExtension {
  readonly type: 'complete';
  readonly text: string;
}

/** `text` is the text until the abort. */
export interface Aborted {
  readonly type: 'aborted';
  readonly text: string;
  /** `user_abort`. */
  readonly reason: string;
}

export interface ProviderFailure extends FailureExtension {
  readonly type: 'error';
  readonly error: string;
}

/** Specification 003 has no call id, so parallel calls of one function could not be distinguished. */
interface CallExtension {
  readonly tool_call_id?: string | undefined;
}

interface EndExtension {
  readonly usage?: ProviderUsage | undefined;
  readonly model?: string | undefined;
  readonly stop_reason?: string | undefined;
  /** Values that only this model understands, such as signed thinking; it needs them back with the results of its calls. */
  readonly opaque?: readonly unknown[] | undefined;
}

/** The fields that a caller needs to decide about a further attempt (R003-46). */
interface FailureExtension {
  /** A code such as `auth`, `rate_limit` or `overloaded`. */
  readonly code?: string | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
  /** Seconds. */
  readonly retry_after?: number | undefined;
  readonly retryable?: boolean | undefined;
}

/** Tokens. `input_tokens` excludes tokens read from and written to a cache. */
export interface ProviderUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens?: number | undefined;
  readonly cache_write_5m_tokens?: number | undefined;
  readonly cache_write_1h_tokens?: number | undefined;
  readonly reasoning_tokens?: number | undefined;
}

export type ProviderEvent =
  | TextChunk
  | ThinkingChunk
  | FunctionCallStart
  | ToolProgress
  | FunctionExecutionStart
  | FunctionExecutionComplete
  | SendingFunctionResponse
  | TerminalEvent;

/** The last event of a stream, which has exactly one (X003-4). */
export type TerminalEvent = Complete | Aborted | ProviderFailure;

export function isTerminal(event: ProviderEvent): event is TerminalEvent {
  return event.type === 'complete' || event.type === 'aborted' || event.type === 'error';
}
