/**
 * The port between a run's events and the connections that read them. A source builds each frame once, and all readers of the
 * run get the same bytes. A reader pulls: it asks for more when its connection has drained, so a slow one delays no other.
 */

/** Consecutive whole frames, as sent over the wire. */
export interface FrameBatch {
  /** The number of its last frame. Frames are numbered from 1 without a gap. */
  readonly lastSeq: number;
  readonly bytes: Uint8Array;
}

export interface FrameSource {
  readonly runId: string;
  /** The first bytes of every connection. */
  readonly opening: Uint8Array;
  /** Builds a sign of life with the current time; it has no number. */
  ping(): Uint8Array;
  /** Returns the number of the run's last frame; null while more may follow. */
  endSeq(): number | null;
  /** Resolves with true if no frame will ever follow `seq`; resolves once that is known (X002-12). */
  hasAll(seq: number, signal: AbortSignal): Promise<boolean>;
  /**
   * Yields the frames after `after`, each once and in order: first the existing ones, then new ones. Frames that belong
   * together, such as the last frames of a run, are in one batch. It ends after the run's last frame, when `signal` fires, or
   * when the source is closed: then the reader comes back with the position that it has reached.
   */
  read(after: number, signal: AbortSignal): AsyncIterable<FrameBatch>;
}

/** Delivers the last frames of a run only once `over` resolves: then its conversation is free for the next run. */
export function endingLast(source: FrameSource, over: () => Promise<void>): FrameSource {
  return {
    ...source,
    async *read(after, signal) {
      for await (const batch of source.read(after, signal)) {
        if (source.endSeq() === batch.lastSeq) await over();
        yield batch;
      }
    },
  };
}
