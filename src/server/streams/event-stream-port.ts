/**
 * Between a run's events and the connections that read them. A source builds each frame once; all readers of the run are given
 * the same bytes. A reader pulls: it asks for more when its connection has taken what it had, so a slow one holds nothing up.
 */

/** Whole frames that follow one another, as they go over the wire. */
export interface FrameBatch {
  /** The number of its last frame. Frames are counted from 1 without a gap. */
  readonly lastSeq: number;
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
  /** Whether nothing follows the frame `seq`, ever; resolves when that is known (X002-12). */
  hasAll(seq: number, signal: AbortSignal): Promise<boolean>;
  /**
   * The frames after `after`, each once and in order: first what is there, then what happens. What belongs together, such as the
   * last frames of a run, lies in one batch. It ends after the last frame that there will ever be, when `signal` fires, or where
   * the source is closed: then the reader comes back with the place that it has reached.
   */
  read(after: number, signal: AbortSignal): AsyncIterable<FrameBatch>;
}
