/** What a run's events are on the wire. */
import type { CollabEvent } from '../../events/collab-event.ts';
import { renderJournalFrame } from '../../views/stream/journal-frame.ts';
import type { StreamingEvent } from '../../views/stream/event.ts';
import { renderFrame } from '../../views/stream/frame.ts';
import { withMessages } from '../../views/stream/messages.ts';
import {
  createStreamingProjection,
  type StreamingOptions,
  type UntoldEnd,
} from '../../views/stream/projection.ts';

export interface Framing {
  /** The frames that an event becomes, none or several, numbered from 1 over the whole run. */
  frame(event: CollabEvent): readonly Frame[];
  /** Those of an end that no event tells. */
  end(): readonly Frame[];
}

export interface Frame {
  readonly seq: number;
  readonly text: string;
  /** Nothing follows it, ever. */
  readonly isLast: boolean;
}

export interface StreamingFramingOptions {
  readonly runId: string;
  readonly projection: StreamingOptions;
  /** What was said in the run, in the shape of specification 003, asked for at its end; null where nothing was. */
  readonly messages: () => readonly unknown[] | null;
  /** Why the run came to an end that no event tells; undefined where nobody knows. */
  readonly untoldEnd?: () => UntoldEnd | undefined;
}

/** The stream of specification 002. */
export function createStreamingFraming({
  runId,
  projection: options,
  messages,
  untoldEnd = () => undefined,
}: StreamingFramingOptions): Framing {
  const projection = createStreamingProjection(options);

  function whole(event: StreamingEvent): StreamingEvent {
    const said = event.event === 'done' ? messages() : null;
    return event.event === 'done' && said !== null ? withMessages(event, said) : event;
  }

  function framed(projected: StreamingEvent): Frame {
    return {
      seq: projected.data.seq,
      text: renderFrame(runId, whole(projected)),
      isLast: projected.event === 'done',
    };
  }

  return {
    frame: (event) => projection.push(event).map(framed),
    end: () => projection.end(untoldEnd()).map(framed),
  };
}

/** The journal itself, one record a frame. */
export function createJournalFraming(): Framing {
  return {
    frame: (event) => [
      { seq: event.seq, text: renderJournalFrame(event), isLast: event.type === 'run.ended' },
    ],
    end: () => [],
  };
}
