/**
 * Turns Codex's notifications into our events: a recorded stream always gives the same events.
 */
import type { EventBody, Usage } from '../../../events/collab-event.ts';
import { addTokens } from '../../../events/tokens.ts';
import type { Notification } from './rpc.ts';
import { openTool, closeTool, toolName } from './tool-events.ts';
import type { UsageCounts, WireError, WireItem, WireNotification } from './wire.ts';

export interface CodexEvents {
  /** Returns the events of the next notification. Takes the same time for each, however long the turn is. */
  take(notification: WireNotification): readonly EventBody[];
  /** Returns the events of a notification that `readNotification` cannot read. */
  unread(notification: Pick<Notification, 'method' | 'line'>): readonly EventBody[];
  /** Closes everything that the turn left open, so that every block has its end and every call its result. */
  end(stopReason: string | null): readonly EventBody[];
  usage(): Usage | null;
}

interface EventState {
  readonly model: string;
  /** Open text blocks, with the text streamed so far. */
  readonly texts: Map<string, string>;
  /** Open reasoning blocks. */
  readonly thoughts: Set<string>;
  /** Tool calls without a result, with their names. */
  readonly tools: Map<string, string>;
  /** True once a text block has started in this turn. */
  spoke: boolean;
  usage: Usage | null;
}

export function createCodexEvents(model: string | null): CodexEvents {
  const state: EventState = {
    model: model ?? 'unknown',
    texts: new Map(),
    thoughts: new Set(),
    tools: new Map(),
    spoke: false,
    usage: null,
  };
  return {
    take: (notification) => project(state, notification),
    unread: ({ method, line }) => (quiet.has(method) ? [] : [{ type: 'raw', provider: 'codex', line }]),
    end: (stopReason) => endTurn(state, stopReason),
    usage: () => state.usage,
  };
}

function endTurn(state: EventState, stopReason: string | null): readonly EventBody[] {
  return [
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

function project(state: EventState, { method, params }: WireNotification): readonly EventBody[] {
  switch (method) {
    case 'turn/started':
      return [{ type: 'turn.started' }];
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
      return [{ type: 'tool.output', call_id: params.itemId, chunk: params.delta }];
    case 'turn/plan/updated': {
      const items = params.plan.map(({ step, status }) => ({ text: step, done: status === 'completed' }));
      return [{ type: 'plan.updated', items }];
    }
    case 'thread/tokenUsage/updated':
      return addUsage(state, params.tokenUsage);
    case 'error':
      return params.willRetry === true ? [retryNotice(params.error)] : [];
    case 'turn/completed':
      return [];
  }
}

function itemStarted(state: EventState, item: WireItem): readonly EventBody[] {
  if (item.type === 'agentMessage') return openText(state, item.id);
  const name = toolName(item);
  if (name === null) return [];
  state.tools.set(item.id, name);
  return openTool(item, name);
}

function itemCompleted(state: EventState, item: WireItem): readonly EventBody[] {
  if (item.type === 'agentMessage') return closeText(state, item.id, item.text);
  if (item.type === 'reasoning') return closeThinking(state, item.id, item.summary ?? []);
  const name = toolName(item);
  if (name === null) return [];
  const opening = state.tools.delete(item.id) ? [] : openTool(item, name);
  return [...opening, ...closeTool(item, name)];
}

function openText(state: EventState, id: string): readonly EventBody[] {
  if (state.texts.has(id)) return [];
  const isFirst = !state.spoke;
  state.texts.set(id, '');
  state.spoke = true;
  return [{ type: 'text.start', block_id: id, follow_up: !isFirst }];
}

function textDelta(state: EventState, id: string, delta: string): readonly EventBody[] {
  const opening = openText(state, id);
  state.texts.set(id, `${state.texts.get(id) ?? ''}${delta}`);
  return [...opening, { type: 'text.delta', block_id: id, text: delta }];
}

/** Ends a block with its streamed text; a whole text that differs becomes a block of its own. */
function closeText(state: EventState, id: string, text: string): readonly EventBody[] {
  const streamed = state.texts.get(id) ?? '';
  if (!text.startsWith(streamed)) return [...endText(state, id), ...closeText(state, `${id}-whole`, text)];
  const rest = text.slice(streamed.length);
  const added = rest === '' ? openText(state, id) : textDelta(state, id, rest);
  return [...added, ...endText(state, id)];
}

function endText({ texts }: EventState, id: string): readonly EventBody[] {
  const text = texts.get(id) ?? '';
  texts.delete(id);
  return [{ type: 'text.end', block_id: id, text }];
}

function thinkingDelta({ thoughts }: EventState, id: string, delta: string): readonly EventBody[] {
  thoughts.add(id);
  return [{ type: 'thinking.delta', block_id: id, text: delta }];
}

function closeThinking(state: EventState, id: string, summary: readonly string[]): readonly EventBody[] {
  const text = summary.join('\n\n');
  const added = state.thoughts.has(id) || text === '' ? [] : thinkingDelta(state, id, text);
  return state.thoughts.delete(id) ? [...added, { type: 'thinking.end', block_id: id }] : [];
}

interface TokenUsage {
  /** Usage of the last model call; the thread's running total is never read. */
  readonly last: UsageCounts;
  readonly modelContextWindow?: number | null | undefined;
}

function addUsage(state: EventState, { last, modelContextWindow: max }: TokenUsage): readonly EventBody[] {
  const usage = usageOf(last, state.model);
  const tokens = last.totalTokens ?? last.inputTokens + last.outputTokens;
  const context: EventBody[] = typeof max === 'number' && max > 0 ? [{ type: 'context', tokens, max }] : [];
  state.usage = state.usage === null ? usage : { ...state.usage, ...addTokens(state.usage, usage) };
  return [{ type: 'usage', ...usage }, ...context];
}

function retryNotice({ message, additionalDetails }: WireError): EventBody {
  return { type: 'error', kind: 'network', message: additionalDetails ?? message, retryable: true };
}
