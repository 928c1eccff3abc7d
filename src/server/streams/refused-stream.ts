/** The stream of a run that does not start: its error and its end, without an `init` (X002-8). */
import { tmpdir } from 'node:os';
import { lineOf } from '../../engine/journal/journal-line.ts';
import { eventVersion, type ErrorKind, type EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { timestampOf } from '../../text/timestamp.ts';
import type { StreamingOptions } from '../../views/stream/projection.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { FrameSource } from './event-stream-port.ts';
import { createStreamingFraming } from './framing.ts';
import { createRunStream } from './run-stream.ts';

export interface RefusedRun {
  readonly runId: string;
  readonly place: Pick<ConversationPlace, 'tenant' | 'id'>;
  /** `cancelled` is not an error. */
  readonly kind: ErrorKind;
  readonly message: string;
}

export function createRefusedStream(
  { runId, place, kind, message }: RefusedRun,
  { clock, projection }: { readonly clock: Clock; readonly projection: StreamingOptions },
): FrameSource {
  const framing = createStreamingFraming({ runId, projection, messages: () => null });
  const stream = createRunStream({ runId, clock, framing, folder: tmpdir() });
  const isError = kind !== 'cancelled';
  const bodies: readonly EventBody[] = [
    { type: 'run.started', name: 'collab', tools: [], cwd: '' },
    ...(isError ? [{ type: 'error', kind, message, retryable: kind === 'locked' } as const] : []),
    {
      type: 'run.ended',
      status: isError ? 'error' : 'cancelled',
      outcome: null,
      reasons: [],
      result: null,
      errors: isError ? [message] : [],
      duration_ms: 0,
      turns: 0,
    },
  ];
  const ts = timestampOf(clock);
  stream.push(
    bodies.map((body, index) =>
      lineOf({
        v: eventVersion,
        run_id: runId,
        seq: index + 1,
        ts,
        conversation_id: place.id,
        tenant_id: place.tenant,
        agent: { id: 'lead', role: 'lead', provider: 'collab' },
        turn: 0,
        ...body,
      }),
    ),
  );
  return stream;
}
