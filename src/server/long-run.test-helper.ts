import { ended, eventStream, started } from '../../test/fixtures/screens/event-streams.ts';
import type { CollabEvent, EventBody } from '../events/collab-event.ts';

/** A run that writes the given number of pieces of the given length; each becomes a frame. */
export function longRun(pieces: number, characters = 10): readonly CollabEvent[] {
  const said = Array.from({ length: pieces }, (_, index): EventBody => ({
    type: 'text.delta',
    block_id: 'b',
    text: `${index} `.padEnd(characters, '.'),
  }));
  return eventStream([started(), { type: 'text.start', block_id: 'b', follow_up: false }, ...said, ended()]);
}
