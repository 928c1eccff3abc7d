/** The streams of the runs of conversations, including runs that were refused. */
import type { ErrorKind } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { newRunId } from '../../runs/folder/run-folder.ts';
import { readMessages } from '../../runs/conversation/turn-messages.ts';
import type { StreamingOptions, UntoldEnd } from '../../views/stream/projection.ts';
import { conversationKey } from '../conversations/active-run.ts';
import type { ServedRun, Conversations, ConversationPlace } from '../conversations/conversations.ts';
import type { FrameSource, FrameBatch } from './event-stream-port.ts';
import type { PathHider } from '../access/hide-paths.ts';
import { createStreamingFraming } from './framing.ts';
import type { HeldConversations } from '../conversations/conversation-locks.ts';
import { messagesFor } from '../conversations/shown-messages.ts';
import { createRefusedStream } from './refused-stream.ts';
import { runFolderOf } from '../conversations/run-places.ts';
import type { RunStreams } from './run-streams.ts';
import type { ReasonCode } from '../../review/outcome/reasons.ts';
import { readResult } from '../../runs/folder/result-file.ts';

export interface ServedStreamsOptions {
  readonly conversations: Conversations;
  readonly held: HeldConversations;
  readonly streams: RunStreams;
  readonly clock: Clock;
  readonly projection: StreamingOptions;
  readonly hidePaths: PathHider;
  /** False if streams end without the messages of the run (X002-22); default true. */
  readonly sendsMessages?: boolean;
}

/** The number of refused streams kept for returning readers. */
const keptRefusals = 64;

export function createServedStreams(options: ServedStreamsOptions) {
  const { conversations, held, streams, clock, projection, hidePaths, sendsMessages = true } = options;
  const refusals = new Map<string, { readonly key: string; readonly stream: FrameSource }>();

  function of(place: ConversationPlace, run: ServedRun): FrameSource {
    const { run_id: runId } = run;
    const runFolder = runFolderOf(place, run);
    const source = streams.source({
      runId,
      runFolder,
      kind: 'streaming',
      createFraming: () =>
        createStreamingFraming({
          runId,
          projection,
          messages() {
            const messages = sendsMessages ? readMessages(runFolder) : null;
            return messages === null ? null : messagesFor(place.tenant, messages);
          },
          untoldEnd: () => untoldEnd(runFolder),
          hide: hidePaths(place.tenant),
        }),
    });
    return { ...source, read: (after, signal) => endingLast(source, { after, signal, place, runId }) };
  }

  /** Delivers the last frame only after the conversation is unlocked and its record is complete. */
  async function* endingLast(source: FrameSource, reading: Reading): AsyncGenerator<FrameBatch> {
    const { after, signal, place, runId } = reading;
    for await (const batch of source.read(after, signal)) {
      if (source.endSeq() === batch.lastSeq) await held.over(place, runId);
      yield batch;
    }
  }

  return {
    /** Returns the stream of the run's whole journal, whichever process writes it. */
    of,
    /** Returns the stream of a run of this conversation, or of a refused run; null if the id is unknown. */
    find(place: ConversationPlace, runId: string): FrameSource | null {
      const refused = refusals.get(runId);
      if (refused?.key === conversationKey(place)) return refused.stream;
      const run = conversations.read(place)?.runs.find(({ run_id: id }) => id === runId);
      return run === undefined ? null : of(place, run);
    },
    /** Creates the stream of a refused run. */
    refuse(place: ConversationPlace, kind: ErrorKind, message: string): FrameSource {
      const runId = newRunId(clock);
      const stream = createRefusedStream(
        { runId, place, kind, message: hidePaths(place.tenant)?.(message) ?? message },
        { clock, projection },
      );
      refusals.set(runId, { key: conversationKey(place), stream });
      for (const [oldest] of refusals) if (refusals.size > keptRefusals) refusals.delete(oldest);
      return stream;
    },
  };
}

interface Reading {
  readonly after: number;
  readonly signal: AbortSignal;
  readonly place: ConversationPlace;
  readonly runId: string;
}

function untoldEnd(runFolder: string): UntoldEnd | undefined {
  const errors = readResult(runFolder)?.reasons ?? [];
  const refusal = refusals.find(({ code }) => errors.some((reason) => reason.startsWith(`${code}:`)));
  return errors.length === 0 ? undefined : { errors, kind: refusal?.kind };
}

const refusals: readonly { readonly code: ReasonCode; readonly kind: ErrorKind }[] = [
  { code: 'agent_missing', kind: 'cli_missing' },
  { code: 'agent_login', kind: 'auth' },
];
