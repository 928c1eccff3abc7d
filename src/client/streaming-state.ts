import type {
  ContextStatusEventData,
  DoneStatus,
  StreamingEvent,
  ToolCallEventData,
  ToolStatus,
  UsageInfo,
  WarningLevel,
} from '../views/stream/event.ts';

/** The state of a conversation that a page shows. */
export interface StreamingState {
  readonly isStreaming: boolean;
  readonly sessionId: string | null;
  /** The main agent's text; sub-agents have their own (X002-D4). */
  readonly currentText: string;
  readonly thinkingText: string;
  readonly tools: readonly string[];
  readonly usage: UsageInfo | null;
  readonly error: string | null;
  readonly status: DoneStatus | null;
  readonly lastSeq: number;
  /** Pending calls by `tool_use_id`. */
  readonly pendingTools: ReadonlyMap<string, ToolCallEventData>;
  readonly contextStatus: ContextStatus | null;
  /** Agents by `agent_id`. */
  readonly agents: ReadonlyMap<string, AgentState>;
  /** True when a new conversation is needed (R002-32, R002-40). */
  readonly isInputDisabled: boolean;
}

export interface ContextStatus {
  readonly currentTokens: number;
  readonly maxTokens: number;
  readonly usagePercent: number;
  readonly warningLevel: WarningLevel;
  readonly canContinue: boolean;
  readonly message: string | null;
}

export interface AgentState {
  readonly type: string;
  readonly description: string;
  readonly text: string;
  readonly thinking: string;
  readonly status: ToolStatus | 'running';
}

export const idleState: StreamingState = {
  isStreaming: false,
  sessionId: null,
  currentText: '',
  thinkingText: '',
  tools: [],
  usage: null,
  error: null,
  status: null,
  lastSeq: 0,
  pendingTools: new Map(),
  contextStatus: null,
  agents: new Map(),
  isInputDisabled: false,
};

/** Starts a run and clears the output of the previous one (R002-45). */
export function beginStreamedRun(state: StreamingState): StreamingState {
  const { currentText, thinkingText, error, status, lastSeq, pendingTools, agents } = idleState;
  const reset = { currentText, thinkingText, error, status, lastSeq, pendingTools, agents };
  return { ...state, ...reset, isStreaming: true };
}

/** Returns the state after an event; a ping has the number 0 and changes nothing (R002-46). */
export function afterEvent(state: StreamingState, event: StreamingEvent): StreamingState {
  const { seq } = event.data;
  return applyEvent(seq > 0 ? { ...state, lastSeq: seq } : state, event);
}

function applyEvent(state: StreamingState, { event, data }: StreamingEvent): StreamingState {
  switch (event) {
    case 'init':
      return { ...state, sessionId: data.session_id, tools: data.tools };
    case 'thinking':
      return addThinking(state, data.content, data.parent_agent_id);
    case 'assistant':
      return addText(state, textOfBlocks(data.content_blocks), data.parent_agent_id);
    case 'tool_call':
      return { ...state, pendingTools: new Map(state.pendingTools).set(data.tool_use_id, data) };
    case 'tool_result': {
      const pendingTools = new Map(state.pendingTools);
      pendingTools.delete(data.tool_use_id);
      return { ...state, pendingTools };
    }
    case 'subagent_start':
      return changeAgent(state, data.agent_id, { type: data.agent_type, description: data.description });
    case 'subagent_end':
      return changeAgent(state, data.agent_id, { type: data.agent_type, status: data.status });
    case 'context_status':
      return { ...state, contextStatus: contextStatusOf(data), isInputDisabled: !data.can_continue };
    case 'error': {
      const isFull = data.error_type === 'context_limit_exceeded';
      return { ...state, error: data.message, isInputDisabled: state.isInputDisabled || isFull };
    }
    case 'done':
      return { ...state, usage: data.usage, status: data.status };
    case 'progress':
    case 'title':
    case 'ping':
      return state;
  }
}

/** Returns the text of all `text` blocks; other types may be added one day. */
export function textOfBlocks(blocks: readonly { readonly type: string; readonly text: string }[]): string {
  return blocks.map(({ type, text }) => (type === 'text' ? text : '')).join('');
}

function addText(state: StreamingState, text: string, agentId: string | null | undefined): StreamingState {
  if (agentId === undefined || agentId === null) return { ...state, currentText: state.currentText + text };
  return changeAgent(state, agentId, { text: (state.agents.get(agentId)?.text ?? '') + text });
}

function addThinking(
  state: StreamingState,
  text: string,
  agentId: string | null | undefined,
): StreamingState {
  if (agentId === undefined || agentId === null) return { ...state, thinkingText: state.thinkingText + text };
  return changeAgent(state, agentId, { thinking: (state.agents.get(agentId)?.thinking ?? '') + text });
}

function changeAgent(state: StreamingState, agentId: string, change: Partial<AgentState>): StreamingState {
  const agent = state.agents.get(agentId) ?? newAgent;
  return { ...state, agents: new Map(state.agents).set(agentId, { ...agent, ...change }) };
}

const newAgent: AgentState = { type: '', description: '', text: '', thinking: '', status: 'running' };

function contextStatusOf(data: ContextStatusEventData): ContextStatus {
  return {
    currentTokens: data.current_context_tokens,
    maxTokens: data.max_context_tokens,
    usagePercent: data.usage_percent,
    warningLevel: data.warning_level,
    canContinue: data.can_continue,
    message: data.message ?? null,
  };
}
