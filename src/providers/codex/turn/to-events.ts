/**
 * Turns Codex's notifications into our events (requirements B.4): a pure fold, so a recorded stream always gives the same
 * events.
 */
import type { EventBody, Usage } from '../../../events/collab-event.ts';
import { addTokens } from '../../../events/tokens.ts';
import type { Notification } from './rpc.ts';
import { openTool, closeTool, toolName } from './tool-events.ts';
import {
  readNotification,
  type UsageCounts,
  type WireError,
  type WireItem,
  type WireNotification,
} from './wire.ts';

export interface EventState {
  readonly model: string;
  /** Open text blocks, with the text streamed so far. */
  readonly texts: ReadonlyMap<string, string>;
  /** Open reasoning blocks. */
  readonly thoughts: ReadonlySet<string>;
  /** Tool calls without a result, with their names. */
  readonly tools: ReadonlyMap<string, string>;
  /** True once a text block has started in this turn. */
  readonly spoke: boolean;
  readonly usage: Usage | null;
}

export interface EventStep {
  readonly state: EventState;
  readonly events: readonly EventBody[];
}

export function initialEvents(model: string | null): EventState {
  return {
    model: model ?? 'unknown',
    texts: new Map(),
    thoughts: new Set(),
    tools: new Map(),
    spoke: false,
    usage: null,
  };
}

export function projectNotification(state: EventState, notification: Notification): EventStep {
  const read = readNotification(notification.method, notification.params);
  if (read !== null) return project(state, read);
  if (quiet.has(notification.method)) return { state, events: [] };
  return { state, events: [{ type: 'raw', provider: 'codex', line: notification.line }] };
}

/** Closes everything a turn left open, so that every block has its end and every call its result. */
export function endTurn(state: EventState, stopReason: string | null): EventStep {
  const events: EventBody[] = [
    ...[...state.texts].map(([id, text]): EventBody => ({ type: 'text.end', block_id: id, text })),
    ...[...state.thoughts].map((id): EventBody => ({ type: 'thinking.end', block_id: id })),
    ...[...state.tools].map(([id, name]): EventBody => ({
      type: 'tool.result',
      call_id: id,
      name,
      content: 'the turn ended before the tool did',
      is_error: true,
      duration_ms: 0,
    })),
    { type: 'turn.ended', stop_reason: stopReason, usage: state.usage },
  ];
  return { state: { ...initialEvents(state.model), usage: state.usage }, events };
}

/** Returns canonical usage: uncached input only. A login without a price list has no price. */
export function usageOf(counts: UsageCounts, model: string): Usage {
  const cached = counts.cachedInputTokens ?? 0;
  const reasoning = counts.reasoningOutputTokens ?? 0;
  return {
    model,
    input: Math.max(0, counts.inputTokens - cached),
    output: counts.outputTokens,
    cache_read: cached,
    cache_write_5m: counts.cacheWriteInputTokens ?? 0,
    cache_write_1h: 0,
    reasoning,
    cost: null,
    cost_basis: 'unknown',
  };
}

/** Notifications for Codex's own screens; none of them belongs to a run. */
const quiet: ReadonlySet<string> = new Set([
  'thread/started',
  'thread/status/changed',
  'thread/readState/changed',
  'thread/settings/updated',
  'thread/name/updated',
  'thread/closed',
  'item/reasoning/summaryPartAdded',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/commandExecution/terminalInteraction',
  'serverRequest/resolved',
  'turn/diff/updated',
  'deprecationNotice',
  'warning',
]);

function project(state: EventState, { method, params }: WireNotification): EventStep {
  switch (method) {
    case 'turn/started':
      return { state, events: [{ type: 'turn.started' }] };
    case 'item/started':
      return itemStarted(state, params.item);
    case 'item/completed':
      return itemCompleted(state, params.item);
    case 'item/agentMessage/delta':
      return textDelta(state, params.itemId, params.delta);
    case 'item/reasoning/summaryTextDelta':
    case 'item/reasoning/textDelta':
      return thinkingDelta(state, params.itemId, params.delta);
    case 'item/commandExecution/outputDelta':
      return { state, events: [{ type: 'tool.output', call_id: params.itemId, chunk: params.delta }] };
    case 'turn/plan/updated': {
      const items = params.plan.map(({ step, status }) => ({ text: step, done: status === 'completed' }));
      return { state, events: [{ type: 'plan.updated', items }] };
    }
    case 'thread/tokenUsage/updated':
      return usageStep(state, params.tokenUsage);
    case 'error':
      return { state, events: params.willRetry === true ? [retryNotice(params.error)] : [] };
    case 'turn/completed':
      return { state, events: [] };
  }
}

function itemStarted(state: EventState, item: WireItem): EventStep {
  if (item.type === 'agentMessage') return openText(state, item.id);
  const name = toolName(item);
  if (name === null) return { state, events: [] };
  return {
    state: { ...state, tools: new Map(state.tools).set(item.id, name) },
    events: openTool(item, name),
  };
}

function itemCompleted(state: EventState, item: WireItem): EventStep {
  if (item.type === 'agentMessage') return closeText(state, item.id, item.text);
  if (item.type === 'reasoning') return closeThinking(state, item.id, item.summary ?? []);
  const name = toolName(item);
  if (name === null) return { state, events: [] };
  const opening = state.tools.has(item.id) ? [] : openTool(item, name);
  const tools = new Map(state.tools);
  tools.delete(item.id);
  return { state: { ...state, tools }, events: [...opening, ...closeTool(item, name)] };
}

function openText(state: EventState, id: string): EventStep {
  if (state.texts.has(id)) return { state, events: [] };
  return {
    state: { ...state, texts: new Map(state.texts).set(id, ''), spoke: true },
    events: [{ type: 'text.start', block_id: id, follow_up: state.spoke }],
  };
}

function textDelta(before: EventState, id: string, delta: string): EventStep {
  const { state, events } = openText(before, id);
  const texts = new Map(state.texts).set(id, `${state.texts.get(id) ?? ''}${delta}`);
  return {
    state: { ...state, texts },
    events: [...events, { type: 'text.delta', block_id: id, text: delta }],
  };
}

/** Ends a block with its streamed text; a whole text that differs becomes a block of its own. */
function closeText(before: EventState, id: string, text: string): EventStep {
  const streamed = before.texts.get(id) ?? '';
  if (!text.startsWith(streamed)) {
    const ended = endText(before, id);
    const whole = closeText(ended.state, `${id}-whole`, text);
    return { state: whole.state, events: [...ended.events, ...whole.events] };
  }
  const rest = text.slice(streamed.length);
  const step = rest === '' ? openText(before, id) : textDelta(before, id, rest);
  const ended = endText(step.state, id);
  return { state: ended.state, events: [...step.events, ...ended.events] };
}

function endText(state: EventState, id: string): EventStep {
  const texts = new Map(state.texts);
  const text = texts.get(id) ?? '';
  texts.delete(id);
  return { state: { ...state, texts }, events: [{ type: 'text.end', block_id: id, text }] };
}

function thinkingDelta(state: EventState, id: string, delta: string): EventStep {
  const thoughts = new Set(state.thoughts).add(id);
  return { state: { ...state, thoughts }, events: [{ type: 'thinking.delta', block_id: id, text: delta }] };
}

function closeThinking(before: EventState, id: string, summary: readonly string[]): EventStep {
  const text = summary.join('\n\n');
  const step =
    before.thoughts.has(id) || text === '' ? { state: before, events: [] } : thinkingDelta(before, id, text);
  if (!step.state.thoughts.has(id)) return step;
  const thoughts = new Set(step.state.thoughts);
  thoughts.delete(id);
  return {
    state: { ...step.state, thoughts },
    events: [...step.events, { type: 'thinking.end', block_id: id }],
  };
}

interface TokenUsage {
  /** Usage of the last model call; the thread's running total is never read. */
  readonly last: UsageCounts;
  readonly modelContextWindow?: number | null | undefined;
}

function usageStep(state: EventState, { last, modelContextWindow: max }: TokenUsage): EventStep {
  const usage = usageOf(last, state.model);
  const tokens = last.totalTokens ?? last.inputTokens + last.outputTokens;
  const context: EventBody[] = typeof max === 'number' && max > 0 ? [{ type: 'context', tokens, max }] : [];
  return {
    state: {
      ...state,
      usage: state.usage === null ? usage : { ...state.usage, ...addTokens(state.usage, usage) },
    },
    events: [{ type: 'usage', ...usage }, ...context],
  };
}

function retryNotice({ message, additionalDetails }: WireError): EventBody {
  return { type: 'error', kind: 'network', message: additionalDetails ?? message, retryable: true };
}
