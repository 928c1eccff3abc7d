/** The wire format of a run's events. */
import type { JournalLine } from '../../engine/journal/journal-line.ts';
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
  /** Returns the frames of a record, none or several, numbered from 1 over the whole run. */
  frame(line: JournalLine): readonly NumberedFrame[];
  /** Returns the frames of an end without an event. */
  end(): readonly NumberedFrame[];
}

export interface NumberedFrame {
  readonly seq: number;
  readonly text: string;
  /** True if no frame ever follows it. */
  readonly isLast: boolean;
}

export interface StreamingFramingOptions {
  readonly runId: string;
  readonly projection: StreamingOptions;
  /** Returns the run's messages in the shape of specification 003, or null if there are none; called at the end of the run. */
  readonly messages: () => readonly unknown[] | null;
  /** Returns why the run ended without an event; undefined if the reason is unknown. */
  readonly untoldEnd?: () => UntoldEnd | undefined;
  /** Changes the text of each frame for its readers; null or missing: as it is. */
  readonly hide?: ((text: string) => string) | null;
}

/** Frames the stream of specification 002. */
export function createStreamingFraming({
  runId,
  projection: options,
  messages,
  untoldEnd = () => undefined,
  hide = null,
}: StreamingFramingOptions): Framing {
  const projection = createStreamingProjection(options);

  function whole(event: StreamingEvent): StreamingEvent {
    const said = event.event === 'done' ? messages() : null;
    return event.event === 'done' && said !== null ? withMessages(event, said) : event;
  }

  function framed(projected: StreamingEvent): NumberedFrame {
    const text = renderFrame(runId, whole(projected));
    return {
      seq: projected.data.seq,
      text: hide?.(text) ?? text,
      isLast: projected.event === 'done',
    };
  }

  return {
    frame: ({ event }) => projection.push(event).map(framed),
    end: () => projection.end(untoldEnd()).map(framed),
  };
}

/** Frames the journal itself, one line per frame. */
export function createJournalFraming(hide: StreamingFramingOptions['hide'] = null): Framing {
  return {
    frame(line) {
      const text = renderJournalFrame(line);
      return [{ seq: line.event.seq, text: hide?.(text) ?? text, isLast: line.event.type === 'run.ended' }];
    },
    end: () => [],
  };
}
