/** The newest streams of runs that did not start, for readers that come back. */
import type { ErrorKind } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { newRunId } from '../../runs/folder/run-folder.ts';
import type { StreamingOptions } from '../../views/stream/projection.ts';
import type { PathHider } from '../access/hide-paths.ts';
import { conversationKey } from '../conversations/active-run.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { FrameSource } from './event-stream-port.ts';
import { createRefusedStream } from './refused-stream.ts';

export interface RefusedStreams {
  /** Creates the stream of a refused run. */
  refuse(place: ConversationPlace, kind: ErrorKind, message: string): FrameSource;
  /** Returns null if the run is none of this conversation's refused ones. */
  find(place: ConversationPlace, runId: string): FrameSource | null;
}

export interface RefusedStreamsOptions {
  readonly clock: Clock;
  readonly projection: StreamingOptions;
  readonly hidePaths: PathHider;
}

/** The number of refused streams kept for returning readers. */
const keptRefusals = 64;

export function createRefusedStreams({
  clock,
  projection,
  hidePaths,
}: RefusedStreamsOptions): RefusedStreams {
  const refusals = new Map<string, { readonly key: string; readonly stream: FrameSource }>();
  return {
    refuse(place, kind, message) {
      const runId = newRunId(clock);
      const stream = createRefusedStream(
        { runId, place, kind, message: hidePaths(place.tenant)?.(message) ?? message },
        { clock, projection },
      );
      refusals.set(runId, { key: conversationKey(place), stream });
      for (const [oldest] of refusals) if (refusals.size > keptRefusals) refusals.delete(oldest);
      return stream;
    },
    find(place, runId) {
      const refused = refusals.get(runId);
      return refused?.key === conversationKey(place) ? refused.stream : null;
    },
  };
}
