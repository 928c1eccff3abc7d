import type {
  InitEvent,
  ThinkingEvent,
  AssistantEvent,
  ToolCallEvent,
  ToolResultEvent,
  SubagentStartEvent,
  SubagentEndEvent,
  ProgressEvent,
  TitleEvent,
  PingEvent,
  ContextStatusEvent,
  DoneEvent,
  ErrorEvent,
  StreamingEvent,
} from './event.ts';

export function isInitEvent(event: StreamingEvent): event is InitEvent {
  return event.event === 'init';
}

export function isThinkingEvent(event: StreamingEvent): event is ThinkingEvent {
  return event.event === 'thinking';
}

export function isAssistantEvent(event: StreamingEvent): event is AssistantEvent {
  return event.event === 'assistant';
}

export function isToolCallEvent(event: StreamingEvent): event is ToolCallEvent {
  return event.event === 'tool_call';
}

export function isToolResultEvent(event: StreamingEvent): event is ToolResultEvent {
  return event.event === 'tool_result';
}

export function isSubagentStartEvent(event: StreamingEvent): event is SubagentStartEvent {
  return event.event === 'subagent_start';
}

export function isSubagentEndEvent(event: StreamingEvent): event is SubagentEndEvent {
  return event.event === 'subagent_end';
}

export function isProgressEvent(event: StreamingEvent): event is ProgressEvent {
  return event.event === 'progress';
}

export function isTitleEvent(event: StreamingEvent): event is TitleEvent {
  return event.event === 'title';
}

export function isPingEvent(event: StreamingEvent): event is PingEvent {
  return event.event === 'ping';
}

export function isContextStatusEvent(event: StreamingEvent): event is ContextStatusEvent {
  return event.event === 'context_status';
}

export function isDoneEvent(event: StreamingEvent): event is DoneEvent {
  return event.event === 'done';
}

export function isErrorEvent(event: StreamingEvent): event is ErrorEvent {
  return event.event === 'error';
}
