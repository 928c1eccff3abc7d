import type { EventBody } from '../../events/collab-event.ts';
import {
  beginningOf,
  bytesOf,
  maxAnswerBytes,
  maxTurnOutputBytes,
  outputCut,
} from '../../parsers/markdown/answer-size.ts';

/**
 * Bounds the thinking and the tool output of one turn, so that they cannot fill the disk: the beginning of each is kept,
 * followed by a note about the cut. The turn continues.
 */
export function boundOutput(emit: (event: EventBody) => void): (event: EventBody) => void {
  /** The bytes that each open stream may still have; null after its cut. */
  const open = new Map<string, number | null>();
  let left = maxTurnOutputBytes;

  function bounded(stream: string, text: string): string {
    const room = open.has(stream) ? (open.get(stream) ?? null) : maxAnswerBytes;
    if (room === null) return '';
    const kept = beginningOf(text, Math.min(room, left));
    left -= bytesOf(kept);
    const isWhole = kept.length === text.length;
    open.set(stream, isWhole ? room - bytesOf(kept) : null);
    return isWhole ? text : `${kept}${outputCut}`;
  }

  return (event) => {
    switch (event.type) {
      case 'thinking.delta': {
        const text = bounded(`thinking ${event.block_id}`, event.text);
        return text === '' ? undefined : emit({ ...event, text });
      }
      case 'tool.output': {
        const chunk = bounded(`output ${event.call_id}`, event.chunk);
        return chunk === '' ? undefined : emit({ ...event, chunk });
      }
      case 'thinking.end':
        open.delete(`thinking ${event.block_id}`);
        return emit(event);
      case 'tool.result': {
        const content = bounded(`result ${event.call_id}`, event.content);
        open.delete(`result ${event.call_id}`);
        open.delete(`output ${event.call_id}`);
        return emit({ ...event, content });
      }
      default:
        return emit(event);
    }
  };
}
