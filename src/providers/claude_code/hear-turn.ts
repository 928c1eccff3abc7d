/** Turns Claude Code's lines into our events; the same lines always produce the same events. */
import type { ErrorKind, EventBody, Usage } from '../../events/collab-event.ts';
import { countTokens } from '../../events/tokens.ts';
import type { TurnWatch } from '../program/turn-watch.ts';
import { createBlockEvents } from './block-events.ts';
import { createToolEvents } from './tool-events.ts';
import { addClaudeUsage, usageOf } from './usage.ts';
import {
  asBlock,
  isToolResult,
  kindOf,
  readLine,
  type WireBlock,
  type WireLine,
  type WireResult,
  type WireStreamEvent,
} from './wire.ts';

export interface ClaudeTurnHearing {
  hear(line: string): void;
  /** True once the program runs and has read the prompt. */
  begun(): boolean;
  /** The last line of the turn; null before it. */
  result(): WireResult | null;
  usage(): Usage | null;
  /** True once the model has produced text. */
  spoke(): boolean;
  /** Emits the turn's last events; no event follows. */
  close(stopReason: string | null, error: EventBody | null): void;
}

export interface ClaudeHearOptions {
  readonly model: string | null;
  /** The session's cost before this turn; null if unknown. */
  readonly costBeforeUsd: number | null;
  readonly emit: (event: EventBody) => void;
  /** Follows the program's requests to its model. */
  readonly watch: Pick<TurnWatch, 'begun' | 'requested' | 'heardModel'>;
}

export function hearTurn({ model, costBeforeUsd, emit, watch }: ClaudeHearOptions): ClaudeTurnHearing {
  const blocks = createBlockEvents(emit);
  const tools = createToolEvents(emit);
  let name = model ?? 'unknown';
  let cwd: string | null = null;
  let begun = false;
  let spoke = false;
  let closed = false;
  let messageId = '';
  const runningTools = new Set<string>();
  let result: WireResult | null = null;
  /** Usage of all calls so far, and of the last one. */
  let counted: Usage | null = null;
  let last: Usage | null = null;

  function hearLine(line: WireLine): void {
    switch (line.type) {
      case 'system':
        if (line.subtype === 'api_retry') emit(retryNotice(line));
        else {
          name = line.model ?? name;
          cwd = line.cwd ?? null;
          if (!begun) emit({ type: 'turn.started' });
          begun = true;
          watch.begun();
        }
        return;
      case 'rate_limit_event': {
        const { status, rateLimitType } = line.rate_limit_info;
        if (status === 'allowed') return;
        const message = `Claude's limit ${rateLimitType ?? ''} says: ${status}`.replace('  ', ' ');
        emit({ type: 'error', kind: 'rate_limit', message, retryable: true });
        return;
      }
      case 'stream_event':
        watch.heardModel();
        hearStream(line.event);
        return;
      case 'assistant':
        if (line.message.model === synthetic) return;
        watch.heardModel();
        for (const part of line.message.content) {
          const block = asBlock(part);
          if (block !== null) hearBlock(line.message.id, block);
        }
        // Only a message that was not streamed reports its end here.
        if (line.message.stop_reason && line.message.usage && line.message.id !== messageId)
          count(usageOf(line.message.usage, name, null));
        return;
      case 'user':
        if (typeof line.message.content === 'string') return;
        for (const part of line.message.content) {
          if (!isToolResult(part)) continue;
          const decision = line.tool_result_meta?.find(({ id }) => id === part.tool_use_id);
          const denied = decision?.permission_decision?.decision === 'reject';
          tools.result(part, { facts: line.tool_use_result, denied, cwd });
          runningTools.delete(part.tool_use_id);
        }
        // With the last result, the program sends its next request.
        if (runningTools.size === 0) watch.requested();
        return;
      case 'result':
        result = line;
    }
  }

  function hearStream(event: WireStreamEvent): void {
    switch (event.type) {
      case 'message_start':
        messageId = event.message.id;
        return;
      case 'content_block_start': {
        const block = asBlock(event.content_block);
        const key = `${messageId}/${event.index}`;
        if (block?.type === 'tool_use') tools.open(key, block);
        else if (block?.type === 'text' || block?.type === 'thinking') blocks.open(key, block.type);
        return;
      }
      case 'content_block_delta': {
        const key = `${messageId}/${event.index}`;
        if (event.delta.text) spoke = true;
        blocks.add(key, event.delta.text ?? event.delta.thinking ?? '');
        tools.add(key, event.delta.partial_json ?? '');
        return;
      }
      case 'content_block_stop':
        blocks.close(`${messageId}/${event.index}`);
        tools.close(`${messageId}/${event.index}`);
        return;
      case 'message_delta':
        if (event.usage) count(usageOf(event.usage, name, null));
        return;
      case 'message_stop':
      case 'ping':
    }
  }

  function hearBlock(id: string, block: WireBlock): void {
    switch (block.type) {
      case 'text':
        spoke = true;
        blocks.whole(id, { kind: 'text', text: block.text });
        return;
      case 'thinking':
        blocks.whole(id, { kind: 'thinking', text: block.thinking, signature: block.signature ?? undefined });
        return;
      case 'redacted_thinking':
        blocks.whole(id, { kind: 'thinking', text: '', redacted: true });
        return;
      case 'tool_use':
        runningTools.add(block.id);
        tools.call({ id: block.id, name: block.name, input: block.input ?? {} });
    }
  }

  function count(usage: Usage): void {
    counted = addClaudeUsage(counted, usage);
    last = usage;
  }

  /** Returns the program's own total; without one, the sum of the calls seen so far. */
  function total(): Usage | null {
    if (!result?.usage || counted === null) return counted;
    const { total_cost_usd: whole } = result;
    const cost =
      typeof whole === 'number' && costBeforeUsd !== null ? Math.max(0, whole - costBeforeUsd) : null;
    return usageOf(result.usage, name, cost);
  }

  return {
    hear(text) {
      if (closed) return;
      const line = readLine(text);
      // A sub-agent's text is not the lead's; none of our turns has one.
      const foreign =
        line !== null && 'parent_tool_use_id' in line && typeof line.parent_tool_use_id === 'string';
      if (line !== null && !foreign) hearLine(line);
      else if (foreign || !quiet.has(kindOf(text) ?? ''))
        emit({ type: 'raw', provider: 'claude_code', line: text });
    },
    begun: () => begun,
    result: () => result,
    usage: total,
    spoke: () => spoke,
    close(stopReason, error) {
      if (closed) return;
      closed = true;
      blocks.end();
      tools.end();
      const usage = total();
      if (usage !== null) emit({ type: 'usage', ...usage });
      const max = result?.modelUsage?.[name]?.contextWindow ?? 0;
      if (last !== null && max > 0) emit({ type: 'context', tokens: countTokens(last), max });
      if (error !== null) emit(error);
      emit({ type: 'turn.ended', stop_reason: stopReason, usage });
    },
  };
}

/** The model name on a message that the program wrote itself, such as an error text. */
const synthetic = '<synthetic>';

/** Messages for Claude Code's own screens; none of them belongs to a run. */
const quiet: ReadonlySet<string> = new Set([
  'system/status',
  'system/thinking_tokens',
  'system/session_state_changed',
]);

type Retry = Extract<WireLine, { subtype: 'api_retry' }>;

function retryNotice({ error, error_status: status, retry_delay_ms: delayMs }: Retry): EventBody {
  const said = [error ?? 'error', status ?? null].filter((part) => part !== null).join(' ');
  return {
    type: 'error',
    kind: retryKind(status ?? null),
    message: `Claude Code repeats a request by itself (${said})`,
    retryable: true,
    ...(typeof delayMs === 'number' && { repeat_in_ms: Math.round(delayMs) }),
  };
}

function retryKind(status: number | null): ErrorKind {
  if (status === 429) return 'rate_limit';
  return status === null ? 'network' : status === 529 ? 'overloaded' : 'server';
}
