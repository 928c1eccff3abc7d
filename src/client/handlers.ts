import type {
  ContextStatusEventData,
  DoneEventData,
  InitEventData,
  StreamingEvent,
  ToolCallEventData,
  ToolResultEventData,
} from '../views/stream/event.ts';
import { isRecoverable } from '../views/stream/errors.ts';
import { textOfBlocks } from './streaming-state.ts';

/** Callbacks of a page during a run (R002-44). Text and thinking are the main agent's. */
export interface StreamingHandlers {
  onInit?: (data: InitEventData) => void;
  onThinking?: (content: string) => void;
  onAssistant?: (text: string) => void;
  onToolCall?: (data: ToolCallEventData) => void;
  onToolResult?: (data: ToolResultEventData) => void;
  onProgress?: (type: string, message: string) => void;
  onTitle?: (title: string) => void;
  onContextStatus?: (data: ContextStatusEventData) => void;
  onInputDisabled?: (disabled: boolean, message: string | null) => void;
  onDone?: (data: DoneEventData) => void;
  /** An error whose type is unknown is never recoverable (X002-30). */
  onError?: (message: string, recoverable: boolean) => void;
  /** Called for every event, including sub-agents' events and pings. */
  onEvent?: (event: StreamingEvent) => void;
}

export function callHandlers(handlers: StreamingHandlers, streamed: StreamingEvent): void {
  const { event, data } = streamed;
  handlers.onEvent?.(streamed);
  switch (event) {
    case 'init':
      return handlers.onInit?.(data);
    case 'thinking':
      return isMain(data) ? handlers.onThinking?.(data.content) : undefined;
    case 'assistant':
      return isMain(data) ? handlers.onAssistant?.(textOfBlocks(data.content_blocks)) : undefined;
    case 'tool_call':
      return handlers.onToolCall?.(data);
    case 'tool_result':
      return handlers.onToolResult?.(data);
    case 'progress':
      return handlers.onProgress?.(data.type, data.message);
    case 'title':
      return handlers.onTitle?.(data.title);
    case 'context_status':
      handlers.onContextStatus?.(data);
      return data.can_continue ? undefined : handlers.onInputDisabled?.(true, data.message ?? null);
    case 'error':
      handlers.onError?.(data.message, data.recoverable && isRecoverable(data.error_type));
      return data.error_type === 'context_limit_exceeded'
        ? handlers.onInputDisabled?.(true, data.message)
        : undefined;
    case 'done':
      return handlers.onDone?.(data);
    case 'subagent_start':
    case 'subagent_end':
    case 'ping':
      return undefined;
  }
}

function isMain({ parent_agent_id: parent }: { parent_agent_id?: string | null }): boolean {
  return parent === undefined || parent === null;
}
