import type { Response, Speaker } from './response.ts';

export interface ToolLine {
  readonly tool: string;
  readonly content: string;
  readonly speaker: Speaker | null;
  /** The step that it belongs to. */
  readonly step: string | undefined;
}

export interface ToolPairs {
  /** A call starts. */
  use(callId: string, line: ToolLine): Response;
  /** A call has answered; its use goes out again unless it was the last thing said (X000-13). */
  result(callId: string, line: ToolLine): readonly Response[];
  /** A call failed: nothing to pair. */
  forget(callId: string): void;
  /** Something known without a call of its own; nothing where an open call already says it. */
  aside(line: ToolLine, result: string | null): readonly Response[];
  /** Something else was said: the next result needs its use again. */
  interrupt(): void;
  /** The open calls of a step will never answer. */
  abandon(step: string): void;
}

export function createToolPairs(): ToolPairs {
  const open = new Map<string, ToolLine>();
  let last: string | null = null;

  return {
    use(callId, line) {
      open.set(callId, line);
      last = callId;
      return toolUse(line);
    },
    result(callId, line) {
      const asked = open.get(callId);
      const repeated =
        last === callId && asked !== undefined ? [] : [toolUse(asked ?? { ...line, content: '' })];
      open.delete(callId);
      last = null;
      return [...repeated, toolResult({ ...(asked ?? line), content: line.content })];
    },
    forget: (callId) => void open.delete(callId),
    aside(line, result) {
      if ([...open.values()].some((call) => saysTheSame(call, line))) return [];
      last = null;
      return [toolUse(line), ...(result === null ? [] : [toolResult({ ...line, content: result })])];
    },
    interrupt() {
      last = null;
    },
    abandon(step) {
      for (const [callId, call] of open) if (call.step === step) open.delete(callId);
      last = null;
    },
  };
}

function saysTheSame(call: ToolLine, line: ToolLine): boolean {
  if (line.content === '') return call.tool === line.tool;
  return call.content
    .split(', ')
    .some((place) => place === line.content || place.endsWith(`/${line.content}`));
}

function toolUse({ tool, content, speaker }: ToolLine): Response {
  return { type: 'tool_use', content, tool, ...spokenBy(speaker), content_type: 'text' };
}

function toolResult({ tool, content, speaker }: ToolLine): Response {
  return { type: 'tool_result', content, tool, ...spokenBy(speaker), content_type: 'text' };
}

export function spokenBy(speaker: Speaker | null): { readonly speaker?: Speaker } {
  return speaker === null ? {} : { speaker };
}
