/**
 * The thirteen events of specification 002, with its names and its optional fields, as a program holds them. On the wire
 * `event` is the frame's name and `data` its JSON (R002-2). A server leaves optional fields out; a reader treats null as
 * absent (X002-20). Fields that 002 lacks and that a strict reader may ignore are in `Extension` types.
 */

/** `seq` counts 1, 2, 3 … without a gap in a run; a ping has 0. `timestamp` is UTC with six fractional digits. */
export interface BaseEventData {
  seq: number;
  timestamp: string;
}

interface Named<Name extends string, Data> {
  event: Name;
  data: Data;
}

/** `model` is the display name (X002-21). */
export interface InitEventData extends BaseEventData {
  session_id: string;
  tools: string[];
  model: string;
  conversation_id?: string;
}

export type InitEvent = Named<'init', InitEventData>;

/** `parent_agent_id` is absent for the main agent (R002-24); the same in the events below. */
export interface ThinkingEventData extends BaseEventData {
  content: string;
  parent_agent_id?: string | null;
}

export type ThinkingEvent = Named<'thinking', ThinkingEventData>;

export interface TextBlock {
  type: 'text';
  text: string;
}

export type ContentBlock = TextBlock;

export interface AssistantEventData extends BaseEventData {
  content_blocks: ContentBlock[];
  parent_agent_id?: string | null;
}

export type AssistantEvent = Named<'assistant', AssistantEventData>;

export interface ToolCallEventData extends BaseEventData {
  tool_use_id: string;
  tool_name: string;
  input: Record<string, unknown>;
  summary: string;
  parent_agent_id?: string | null;
}

export type ToolCallEvent = Named<'tool_call', ToolCallEventData>;

export type ToolStatus = 'completed' | 'error';

/** `content` is a preview (X002-17). */
export interface ToolResultEventData extends BaseEventData {
  tool_use_id: string;
  tool_name: string;
  status: ToolStatus;
  content: string;
  is_error: boolean;
  parent_agent_id?: string | null;
}

export type ToolResultEvent = Named<'tool_result', ToolResultEventData>;

export interface SubagentStartEventData extends BaseEventData, NestingExtension {
  agent_id: string;
  agent_type: string;
  description: string;
  model?: string;
}

export type SubagentStartEvent = Named<'subagent_start', SubagentStartEventData>;

export interface SubagentEndEventData extends BaseEventData, NestingExtension {
  agent_id: string;
  agent_type: string;
  status: ToolStatus;
  result_preview?: string;
}

export type SubagentEndEvent = Named<'subagent_end', SubagentEndEventData>;

export type ProgressType = 'thinking' | 'generating' | 'tool';
export type ToolProgressStatus = 'pending' | 'running' | 'completed' | 'error';

export interface ProgressEventData extends BaseEventData {
  type: ProgressType;
  message: string;
  tool_use_id?: string;
  tool_name?: string;
  tool_status?: ToolProgressStatus;
  parent_agent_id?: string | null;
}

export type ProgressEvent = Named<'progress', ProgressEventData>;

export interface TitleEventData extends BaseEventData {
  title: string;
}

export type TitleEvent = Named<'title', TitleEventData>;

/** `elapsed_ms` counts from the start of the run, not of the connection (X002-1). */
export interface PingEventData extends BaseEventData {
  elapsed_ms: number;
}

export type PingEvent = Named<'ping', PingEventData>;

export type WarningLevel = 'normal' | 'warning' | 'critical' | 'blocked';
export type RecommendedAction = 'new_chat' | null;

/** `usage_percent` is truncated, not rounded, to one decimal (X002-3). */
export interface ContextStatusEventData extends BaseEventData {
  current_context_tokens: number;
  max_context_tokens: number;
  usage_percent: number;
  warning_level: WarningLevel;
  can_continue: boolean;
  message?: string;
  recommended_action?: RecommendedAction;
}

export type ContextStatusEvent = Named<'context_status', ContextStatusEventData>;

/** Tokens; `total_tokens` is input plus output, without cached tokens (R002-35). */
export interface UsageInfo {
  input_tokens: number;
  output_tokens: number;
  cache_creation_5m_tokens: number;
  cache_creation_1h_tokens: number;
  cache_read_tokens: number;
  total_tokens: number;
}

/** The usage of one model; the field names differ from `UsageInfo` (R002-36). */
export interface ModelUsageInfo extends CostExtension {
  input_tokens: number;
  output_tokens: number;
  cache_creation_5m_input_tokens: number;
  cache_creation_1h_input_tokens: number;
  cache_read_input_tokens: number;
  cost_usd: string;
}

export type DoneStatus = 'success' | 'error' | 'cancelled';

/** `cost_usd` is an exact decimal without an exponent (X002-23). */
export interface DoneEventData extends BaseEventData, CostExtension, MessagesExtension {
  status: DoneStatus;
  result: string | null;
  is_error: boolean;
  errors: string[] | null;
  usage: UsageInfo;
  cost_usd: string;
  turn_count: number;
  duration_ms: number;
  session_id?: string;
  messages?: unknown[];
  model_usage?: Record<string, ModelUsageInfo>;
}

export type DoneEvent = Named<'done', DoneEventData>;

export type ErrorType =
  | 'conversation_locked'
  | 'sdk_not_installed'
  | 'model_validation_error'
  | 'options_error'
  | 'execution_error'
  | 'context_limit_exceeded'
  | 'background_execution_error'
  | 'background_task_error'
  | 'timeout_error';

export interface ErrorEventData extends BaseEventData, ErrorExtension {
  error_type: ErrorType;
  message: string;
  recoverable: boolean;
}

export type ErrorEvent = Named<'error', ErrorEventData>;

export type StreamingEvent =
  | InitEvent
  | ThinkingEvent
  | AssistantEvent
  | ToolCallEvent
  | ToolResultEvent
  | SubagentStartEvent
  | SubagentEndEvent
  | ProgressEvent
  | TitleEvent
  | PingEvent
  | ContextStatusEvent
  | DoneEvent
  | ErrorEvent;

export interface ExecutorInfo {
  user_id: string;
  name: string;
  email: string;
  employee_id?: string;
}

export interface StreamRequest {
  user_input: string;
  executor: ExecutorInfo;
  tokens?: Record<string, string>;
  preferred_skills?: string[];
}

/** The agent that started this one, if it was not the main agent (X002-18). */
interface NestingExtension {
  parent_agent_id?: string | null;
}

interface CostExtension {
  /** False if a call had no price: it adds nothing to `cost_usd` (X002-23). */
  cost_known?: boolean;
}

interface MessagesExtension {
  /** True if there were messages that are too large to send (X002-22). */
  messages_omitted?: boolean;
}

interface ErrorExtension {
  retry_after_ms?: number;
  /** The underlying reason, such as `rate_limit` (X002-15). */
  cause?: string;
}

/** The closed set of event names. */
export const streamingEventNames: readonly StreamingEvent['event'][] = [
  'init',
  'thinking',
  'assistant',
  'tool_call',
  'tool_result',
  'subagent_start',
  'subagent_end',
  'progress',
  'title',
  'ping',
  'context_status',
  'done',
  'error',
];
