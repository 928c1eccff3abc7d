/** The streams of the runs of conversations, including runs that were refused. */
import type { ErrorKind } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { readMessages } from '../../runs/conversation/turn-messages.ts';
import type { StreamingOptions, UntoldEnd } from '../../views/stream/projection.ts';
import type { ServedRun, Conversations, ConversationPlace } from '../conversations/conversations.ts';
import { endingLast, type FrameSource } from './event-stream-port.ts';
import type { PathHider } from '../access/hide-paths.ts';
import { createStreamingFraming } from './framing.ts';
import type { HeldConversations } from '../conversations/conversation-locks.ts';
import { messagesFor } from '../conversations/shown-messages.ts';
import { createRefusedStreams } from './refused-streams.ts';
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

export function createServedStreams(options: ServedStreamsOptions) {
  const { conversations, held, streams, projection, hidePaths, sendsMessages = true } = options;
  const refused = createRefusedStreams(options);

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
    return endingLast(source, () => held.over(place, runId));
  }

  return {
    /** Returns the stream of the run's whole journal, whichever process writes it. */
    of,
    /** Returns the stream of a run of this conversation, or of a refused run; null if the id is unknown. */
    find(place: ConversationPlace, runId: string): FrameSource | null {
      const known = refused.find(place, runId);
      if (known !== null) return known;
      const run = conversations.read(place)?.runs.find(({ run_id: id }) => id === runId);
      return run === undefined ? null : of(place, run);
    },
    refuse: (place: ConversationPlace, kind: ErrorKind, message: string) =>
      refused.refuse(place, kind, message),
  };
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
