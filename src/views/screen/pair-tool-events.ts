import type { Response } from './response.ts';
import type { SpeakingAgent } from '../../events/speakers.ts';

export interface ToolLine {
  readonly tool: string;
  readonly content: string;
  readonly speaker: SpeakingAgent | null;
  /** The step of the call. */
  readonly step: string | undefined;
}

export function createToolPairs() {
  const open = new Map<string, ToolLine>();
  let last: string | null = null;

  return {
    /** Handles the start of a call. */
    use(callId: string, line: ToolLine): Response {
      open.set(callId, line);
      last = callId;
      return toolUse(line);
    },
    /** Handles a call's result; its use is repeated unless it was the last response (X000-13). */
    result(callId: string, line: ToolLine): readonly Response[] {
      const asked = open.get(callId);
      const repeated =
        last === callId && asked !== undefined ? [] : [toolUse(asked ?? { ...line, content: '' })];
      open.delete(callId);
      last = null;
      return [...repeated, toolResult({ ...(asked ?? line), content: line.content })];
    },
    /** Handles a failed call: there is nothing to pair. */
    forget: (callId: string): void => void open.delete(callId),
    /** Handles a line without a call of its own; returns nothing if an open call already shows it. */
    aside(line: ToolLine, result: string | null): readonly Response[] {
      if ([...open.values()].some((call) => saysTheSame(call, line))) return [];
      last = null;
      return [toolUse(line), ...(result === null ? [] : [toolResult({ ...line, content: result })])];
    },
    /** Handles any other output: the next result must repeat its use. */
    interrupt(): void {
      last = null;
    },
    /** Drops the open calls of a step, which will never return. */
    abandon(step: string): void {
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
