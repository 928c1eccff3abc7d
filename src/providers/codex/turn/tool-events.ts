/** Turns Codex's tools into `tool.call` and `tool.result`. */
import type { EventBody } from '../../../events/collab-event.ts';
import type { TomlValue } from '../launch/toml.ts';
import type { WireItem } from './wire.ts';

/** Returns the tool's name for display; null for an item that is not a tool. */
export function toolName(item: WireItem): string | null {
  switch (item.type) {
    case 'commandExecution':
      return 'Bash';
    case 'fileChange':
      return 'Edit';
    case 'mcpToolCall':
      return `mcp__${item.server}__${item.tool}`;
    case 'dynamicToolCall':
      return item.tool;
    case 'webSearch':
      return 'WebSearch';
    case 'imageView':
      return 'ViewImage';
    case 'agentMessage':
    case 'reasoning':
    case 'userMessage':
      return null;
  }
}

export function openTool(item: WireItem, name: string): readonly EventBody[] {
  const args = argumentsOf(item);
  return [
    {
      type: 'tool.call',
      call_id: item.id,
      name,
      display_name: name,
      args,
      summary: summaryOf(args),
      trigger: 'agent',
    },
    { type: 'tool.status', call_id: item.id, status: 'running', message: '' },
  ];
}

export function closeTool(item: WireItem, name: string): readonly EventBody[] {
  const outcome = outcomeOf(item);
  const status: EventBody = {
    type: 'tool.status',
    call_id: item.id,
    status: outcome.is_error ? 'error' : 'completed',
    message: '',
  };
  const result: EventBody = { type: 'tool.result', call_id: item.id, name, ...outcome };
  return [...changedFiles(item), status, result];
}

type Outcome = Omit<Extract<EventBody, { type: 'tool.result' }>, 'type' | 'call_id' | 'name'>;

function outcomeOf(item: WireItem): Outcome {
  switch (item.type) {
    case 'commandExecution': {
      const exitCode = item.exitCode ?? null;
      return {
        content: item.aggregatedOutput ?? '',
        is_error: failed(item.status) || exitCode !== 0,
        exit_code: exitCode,
        duration_ms: wholeMs(item.durationMs),
      };
    }
    case 'mcpToolCall':
      return {
        content: item.error?.message ?? textOf(item.result),
        is_error: failed(item.status) || (item.error ?? null) !== null,
        duration_ms: wholeMs(item.durationMs),
      };
    case 'dynamicToolCall':
      return {
        content: textOf(item.contentItems),
        is_error: failed(item.status) || item.success === false,
        duration_ms: wholeMs(item.durationMs),
      };
    case 'fileChange':
      return {
        content: item.changes.map(({ path }) => path).join('\n'),
        is_error: failed(item.status),
        duration_ms: 0,
      };
    case 'webSearch':
    case 'imageView':
    case 'agentMessage':
    case 'reasoning':
    case 'userMessage':
      return { content: '', is_error: false, duration_ms: 0 };
  }
}

function changedFiles(item: WireItem): readonly EventBody[] {
  if (item.type !== 'fileChange' || failed(item.status)) return [];
  return item.changes.map(({ path, kind, diff }) => ({
    type: 'file.changed',
    path,
    kind: kind?.type === 'add' || kind?.type === 'delete' ? kind.type : 'update',
    ...(typeof diff === 'string' && { diff }),
  }));
}

function argumentsOf(item: WireItem): Record<string, TomlValue> {
  switch (item.type) {
    case 'commandExecution':
      return { command: item.command };
    case 'fileChange':
      return { paths: item.changes.map(({ path }) => path) };
    case 'mcpToolCall':
    case 'dynamicToolCall':
      return isRecord(item.arguments) ? item.arguments : { arguments: item.arguments ?? null };
    case 'webSearch':
      return { query: item.query ?? '' };
    case 'imageView':
      return { path: item.path ?? '' };
    case 'agentMessage':
    case 'reasoning':
    case 'userMessage':
      return {};
  }
}

function summaryOf(args: Readonly<Record<string, TomlValue>>): string {
  const [first] = Object.values(args);
  return first === undefined ? '' : textOf(first);
}

function isRecord(value: TomlValue | undefined): value is Record<string, TomlValue> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function textOf(value: TomlValue | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function failed(status: string | null | undefined): boolean {
  return status === 'failed' || status === 'declined';
}

function wholeMs(ms: number | null | undefined): number {
  return Math.max(0, Math.round(ms ?? 0));
}
