/** Counts what the events of one turn add to the journal, apart from the texts that `boundOutput` cuts. */
import type { EventBody } from '../../events/collab-event.ts';
import { bytesOf, maxTurnEventBytes } from '../../parsers/markdown/answer-size.ts';

/** About as much as the fields around an event take in its record. */
export const bytesOfEnvelope = 256;

/** Returns a function that counts an event, and returns false if there is no room for it. */
export function createTurnSize(): (event: EventBody) => boolean {
  let left = maxTurnEventBytes;
  let last = '';
  return (event) => {
    switch (event.type) {
      case 'thinking.delta':
      case 'tool.input':
      case 'tool.output':
        return true;
      case 'text.delta':
        // The end of a block repeats its text; pieces of one block in a row become one record.
        left -= 2 * bytesOf(event.text) + (event.block_id === last ? 0 : bytesOfEnvelope);
        last = event.block_id;
        return left >= 0;
      default:
        left -= bytesOfEnvelope + bytesOf(JSON.stringify(withoutCounted(event)));
        last = '';
        return left >= 0;
    }
  };
}

function withoutCounted(event: EventBody): EventBody {
  if (event.type === 'text.end') return { ...event, text: '' };
  return event.type === 'tool.result' ? { ...event, content: '' } : event;
}
