/**
 * Projects one agent's actions to the events of specification 003 (requirements B.3). Uses no clock; streaming and batch use
 * give the same events.
 */
import { providerErrorText, type ProviderErrorCode } from '../../errors/provider-error.ts';
import type { ErrorKind, EventBody, Usage } from '../../events/collab-event.ts';
import type {
  FunctionCallStart,
  FunctionExecution,
  ProviderEvent,
  ProviderFailure,
  ProviderUsage,
  UiInfo,
} from './provider-event.ts';

export interface ProviderEnd {
  readonly usage?: Usage | null;
  readonly stopReason?: string | null;
  readonly opaque?: readonly unknown[];
}

export interface ProviderFault {
  readonly code: ProviderErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | null;
}

type ToolCallBody = Extract<EventBody, { type: 'tool.call' }>;
type ToolResultBody = Extract<EventBody, { type: 'tool.result' }>;

/**
 * Creates a projection. The number of calls in a response is known only when the agent continues, so the results of a batch
 * are held back until then to keep `count` correct (X003-6).
 */
export function createProviderProjection() {
  const followUps = new Map<string, boolean>();
  const open = new Map<string, ToolCallBody>();
  let done: FunctionExecution[] = [];
  let heard: ProviderFault = { code: 'internal', message: 'the answer ended early', retryable: false };
  let text = '';
  let called = false;
  let closed = false;

  function project(event: EventBody): readonly ProviderEvent[] {
    switch (event.type) {
      case 'turn.started':
        return goOn();
      case 'text.start':
        followUps.set(event.block_id, event.follow_up);
        return goOn();
      case 'text.delta': {
        text += event.text;
        const isFollowUp = followUps.get(event.block_id) === true;
        const before = goOn();
        return [...before, { type: 'text_chunk', text: event.text, is_follow_up: isFollowUp || called }];
      }
      case 'thinking.delta':
        return [...goOn(), { type: 'thinking_chunk', text: event.text }];
      case 'tool.call':
        open.set(event.call_id, event);
        return [callStart(event)];
      case 'tool.status':
        return progress(event.call_id, event.status, event.message);
      case 'tool.result':
        done.push(executionOf(event, open.get(event.call_id)));
        open.delete(event.call_id);
        return [];
      case 'step.abandoned':
        open.clear();
        return [];
      case 'error':
        heard = faultOf(event);
        return [];
      default:
        return [];
    }
  }

  function progress(
    callId: string,
    status: 'pending' | 'running' | 'completed' | 'error',
    message: string,
  ): readonly ProviderEvent[] {
    const call = open.get(callId);
    if (call === undefined || status === 'completed' || status === 'error') return [];
    return [{ type: 'tool_progress', tool: call.name, message, tool_call_id: callId }];
  }

  /** Emits the batch when the agent continues after its tools. */
  function goOn(): readonly ProviderEvent[] {
    const batch = deliver();
    return batch.length === 0 ? [] : [...batch, { type: 'sending_function_response' }];
  }

  function deliver(): readonly ProviderEvent[] {
    const executions = done;
    done = [];
    if (executions.length === 0) return [];
    called = true;
    return [
      { type: 'function_execution_start', count: executions.length },
      ...executions.map((execution) => ({ type: 'function_execution_complete' as const, execution })),
    ];
  }

  function close(last: () => ProviderEvent): readonly ProviderEvent[] {
    if (closed) return [];
    closed = true;
    return [...deliver(), last()];
  }

  return {
    push: (event: EventBody): readonly ProviderEvent[] => (closed ? [] : project(event)),
    /** Each of these three emits the one last event; no event follows it. */
    complete: (end: ProviderEnd = {}): readonly ProviderEvent[] =>
      close(() => ({ type: 'complete', text, ...endExtension(end) })),
    abort: (): readonly ProviderEvent[] => close(() => ({ type: 'aborted', text, reason: 'user_abort' })),
    /** Without a fault of its own, uses the last `error` event. */
    fail: (fault?: ProviderFault): readonly ProviderEvent[] => close(() => providerFailure(fault ?? heard)),
  };
}

function callStart({ call_id, name, display_name, args, ui }: ToolCallBody): FunctionCallStart {
  return {
    type: 'function_call_start',
    function_name: name,
    tool_name: display_name,
    args,
    ...(ui === undefined ? {} : { ui_info: uiInfoOf(ui) }),
    tool_call_id: call_id,
  };
}

function executionOf(result: ToolResultBody, call: ToolCallBody | undefined): FunctionExecution {
  const { name, call_id, content, data, is_error } = result;
  const ui = call?.ui;
  return {
    function_name: name,
    tool_name: call?.display_name ?? name,
    args: call?.args ?? {},
    result: data ?? { success: !is_error, data: content },
    has_ui: ui !== undefined,
    ui_info: ui === undefined ? null : uiInfoOf(ui),
    tool_call_id: call_id,
  };
}

/** A component of a tool may name the file that shows it (R003-32). */
function uiInfoOf(ui: ToolCallBody['ui']): UiInfo {
  const file = typeof ui === 'object' && ui !== null && 'html_file' in ui ? ui.html_file : undefined;
  return typeof file === 'string' ? { has_ui: true, html_file: file } : { has_ui: true };
}

function endExtension({ usage, stopReason, opaque = [] }: ProviderEnd) {
  return {
    ...(usage === undefined || usage === null ? {} : { usage: toProviderUsage(usage), model: usage.model }),
    ...(stopReason === undefined || stopReason === null ? {} : { stop_reason: stopReason }),
    ...(opaque.length === 0 ? {} : { opaque }),
  };
}

export function toProviderUsage(usage: Usage): ProviderUsage {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_tokens: usage.cache_read,
    cache_write_5m_tokens: usage.cache_write_5m,
    cache_write_1h_tokens: usage.cache_write_1h,
    ...(usage.reasoning === undefined ? {} : { reasoning_tokens: usage.reasoning }),
  };
}

/** Returns a failed call as its last event, with the fields that a caller needs for a further attempt (R003-46). */
export function providerFailure({ code, message, retryable, retryAfterMs }: ProviderFault): ProviderFailure {
  const retryAfter =
    retryAfterMs === undefined || retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1000);
  return {
    type: 'error',
    error: providerErrorText(code, message, retryAfter),
    code,
    retryable,
    ...(retryAfter === null ? {} : { retry_after: retryAfter }),
  };
}

function faultOf({
  kind,
  message,
  retryable,
  retry_after_ms,
}: Extract<EventBody, { type: 'error' }>): ProviderFault {
  return { code: codeOf(kind), message, retryable, retryAfterMs: retry_after_ms ?? null };
}

function codeOf(kind: ErrorKind): ProviderErrorCode {
  switch (kind) {
    case 'server':
      return 'overloaded';
    case 'parse':
      return 'protocol';
    case 'locked':
    case 'orphaned':
    case 'cancelled':
      return 'internal';
    default:
      return kind;
  }
}
