import type { CollabEventOf } from '../../events/collab-event.ts';
import { preview } from '../../text/preview.ts';
import type { ToolProgressStatus, ToolStatus } from './event.ts';
import { spokenUnder, type Saying, type SpeakerId } from './pending-event.ts';
import type { StreamingWords } from './phrases.ts';

type ToolCall = CollabEventOf<'tool.call'>;

interface Voice {
  readonly speaker: SpeakerId;
  readonly words: StreamingWords;
}

export function toolProgress(call: ToolCall, status: ToolProgressStatus, { speaker, words }: Voice): Saying {
  return (base) => ({
    event: 'progress',
    data: {
      ...base,
      type: 'tool',
      message: words.tool(call.display_name, status),
      tool_use_id: call.call_id,
      tool_name: call.name,
      tool_status: status,
      ...spokenUnder(speaker),
    },
  });
}

export function toolCall(call: ToolCall, { speaker, words }: Voice): Saying {
  return (base) => ({
    event: 'tool_call',
    data: {
      ...base,
      tool_use_id: call.call_id,
      tool_name: call.name,
      input: call.args,
      summary: preview(words.summary(call), summaryCharacters),
      ...spokenUnder(speaker),
    },
  });
}

const summaryCharacters = 200;

export function toolResult(
  call: ToolCall,
  { status, text, speaker }: { status: ToolStatus; text: string; speaker: SpeakerId },
): Saying {
  return (base) => ({
    event: 'tool_result',
    data: {
      ...base,
      tool_use_id: call.call_id,
      tool_name: call.name,
      status,
      content: preview(text),
      is_error: status === 'error',
      ...spokenUnder(speaker),
    },
  });
}

/** Content that is not text is shown as JSON (X002-17). */
export function contentOf({ content, data }: Pick<CollabEventOf<'tool.result'>, 'content' | 'data'>): string {
  if (content !== '' || data === undefined) return content;
  return typeof data === 'string' ? data : JSON.stringify(data);
}
