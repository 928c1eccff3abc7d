/**
 * Between a run's events and the connections that read them. A source builds each frame once; all readers of the run are given
 * the same bytes. A reader pulls: it asks for more when its connection has taken what it had, so a slow one holds nothing up.
 */

/** One event as it goes over the wire. */
export interface EventFrame {
  /** Of the stream that the frame belongs to, counted from 1 without a gap. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface FrameSource {
  readonly runId: string;
  /** What every connection begins with. */
  readonly opening: Uint8Array;
  /** A sign of life, as of now; it has no number. */
  ping(): Uint8Array;
  /** The number of the last frame that there will ever be; null while more may come. */
  endSeq(): number | null;
  /**
   * The frames after `after`, each once and in order, in batches of at least one: first what is there, then what happens.
   * It ends after the last frame that there will ever be, when `signal` fires, or where the reader has fallen behind by more
   * than the source keeps: then its connection is closed and it comes back with the place that it has reached.
   */
  read(after: number, signal: AbortSignal): AsyncIterable<readonly EventFrame[]>;
}
