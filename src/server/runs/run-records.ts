/** The records of a run as frames of a stream. */
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { FrameSource } from '../streams/event-stream-port.ts';
import { createJournalFraming } from '../streams/framing.ts';
import type { RunPlace } from './run-view.ts';
import type { ServerContext } from '../routes/server-context.ts';

export function recordsOf(
  { streams, runs, hidePaths }: Pick<ServerContext, 'streams' | 'runs' | 'hidePaths'>,
  place: ConversationPlace,
  { runId, path: runFolder }: RunPlace,
): FrameSource {
  const createFraming = () => createJournalFraming(hidePaths(place.tenant));
  const source = streams.source({ runId, runFolder, kind: 'journal', createFraming });
  return {
    ...source,
    async *read(after, signal) {
      yield* source.read(after, signal);
      // Ends the stream only after the conversation is unlocked.
      if (source.endSeq() !== null) await runs.over(place, runId);
    },
  };
}
