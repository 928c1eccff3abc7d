import type { Response } from './response.ts';
import type { SpeakingAgent } from '../../events/speakers.ts';

export interface ToolLine {
  readonly tool: string;
  readonly content: string;
  readonly speaker: SpeakingAgent | null;
  /** The step of the call. */
  readonly step: string | undefined;
}

export interface ToolPairs {
  /** Handles the start of a call. */
  use(callId: string, line: ToolLine): Response;
  /** Handles a call's result; its use is repeated unless it was the last response (X000-13). */
  result(callId: string, line: ToolLine): readonly Response[];
  /** Handles a failed call: there is nothing to pair. */
  forget(callId: string): void;
  /** Handles a line without a call of its own; returns nothing if an open call already shows it. */
  aside(line: ToolLine, result: string | null): readonly Response[];
  /** Handles any other output: the next result must repeat its use. */
  interrupt(): void;
  /** Drops the open calls of a step, which will never return. */
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

export function spokenBy(speaker: SpeakingAgent | null): { readonly speaker?: SpeakingAgent } {
  return speaker === null ? {} : { speaker };
}
