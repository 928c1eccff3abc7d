/**
 * The ten events of specification 003, the whole of what a provider streams. Field names are the wire's. Fields that 003
 * lacks and that a strict reader may ignore stand in `Extension` types (X003-5).
 */

export interface TextChunk {
  readonly type: 'text_chunk';
  readonly text: string;
  /** The text comes after a function call. */
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
  /** As the tool is registered. */
  readonly function_name: string;
  /** As people read it. */
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

/** A call that was run, with what came of it. */
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

/** `text` is all that the call's text chunks said, after function calls too (X003-4). */
export interface Complete extends EndExtension {
  readonly type: 'complete';
  readonly text: string;
}

/** `text` is what was said until then. */
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

/** 003 has no id of a call: two parallel calls of one function could not be told apart. */
interface CallExtension {
  readonly tool_call_id?: string | undefined;
}

interface EndExtension {
  readonly usage?: ProviderUsage | undefined;
  readonly model?: string | undefined;
  readonly stop_reason?: string | undefined;
  /** What only this model understands, such as signed thinking; it wants it back with the results of its calls. */
  readonly opaque?: readonly unknown[] | undefined;
}

/** What a caller needs to decide whether it tries again (R003-46). */
interface FailureExtension {
  /** `auth`, `rate_limit`, `overloaded` and the like. */
  readonly code?: string | undefined;
  /** Of HTTP. */
  readonly status?: number | undefined;
  /** Seconds. */
  readonly retry_after?: number | undefined;
  readonly retryable?: boolean | undefined;
}

/** Tokens. `input_tokens` leaves out what was read from and written to a cache. */
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

/** Exactly one ends a stream (X003-4). */
export type TerminalEvent = Complete | Aborted | ProviderFailure;

export function isTerminal(event: ProviderEvent): event is TerminalEvent {
  return event.type === 'complete' || event.type === 'aborted' || event.type === 'error';
}
