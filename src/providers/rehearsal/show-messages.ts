/** Renders a scripted turn's messages and tool calls before its answer as events. */
import type { EventBody } from '../../events/collab-event.ts';
import type { ScriptedMessage, ScriptedTool } from './script.ts';

/** A message that is only shown. */
type ShownMessage = Exclude<ScriptedMessage, { call: unknown }>;

export function messageEvents(
  message: ShownMessage,
  id: string,
  deltaSize: number | undefined,
): readonly EventBody[] {
  return 'tool' in message ? toolEvents(id, message.tool) : textEvents(id, message.text, deltaSize);
}

export function textEvents(
  blockId: string,
  text: string,
  deltaSize: number | undefined,
): readonly EventBody[] {
  return [
    { type: 'text.start', block_id: blockId, follow_up: false },
    ...pieces(text, deltaSize).map((piece) => ({
      type: 'text.delta' as const,
      block_id: blockId,
      text: piece,
    })),
    { type: 'text.end', block_id: blockId, text },
  ];
}

/** Cuts the text between characters, never inside one. */
function pieces(text: string, size: number | undefined): readonly string[] {
  const characters = Array.from(text);
  if (size === undefined) return [text];
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}

function toolEvents(callId: string, tool: ScriptedTool): readonly EventBody[] {
  const isError = tool.error !== undefined;
  return [
    {
      type: 'tool.call',
      call_id: callId,
      name: tool.name,
      display_name: tool.name,
      args: tool.input,
      summary: summaryOf(tool),
      trigger: 'agent',
    },
    { type: 'tool.status', call_id: callId, status: 'running', message: '' },
    { type: 'tool.status', call_id: callId, status: isError ? 'error' : 'completed', message: '' },
    {
      type: 'tool.result',
      call_id: callId,
      name: tool.name,
      content: outputOf(tool),
      is_error: isError,
      duration_ms: 0,
    },
  ];
}

function summaryOf({ input }: ScriptedTool): string {
  const [first] = Object.values(input);
  return typeof first === 'string' ? first : '';
}

function outputOf({ error, output, output_lines: lines }: ScriptedTool): string {
  if (error !== undefined) return error;
  if (lines !== undefined) return Array.from({ length: lines }, (_, index) => `line ${index + 1}`).join('\n');
  return output ?? '';
}
