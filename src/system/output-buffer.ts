/** Keeps a child's output within a bound: its beginning (head) or its end (tail). */
export interface OutputBuffer {
  push(chunk: Buffer): void;
  bytes(): Buffer;
  /** True if more was pushed than is kept. */
  readonly dropped: boolean;
}

export function createHeadBuffer(maxBytes: number): OutputBuffer {
  const chunks: Buffer[] = [];
  let size = 0;
  let dropped = false;
  return {
    push(chunk) {
      const kept = chunk.subarray(0, maxBytes - size);
      if (kept.length < chunk.length) dropped = true;
      if (kept.length > 0) chunks.push(kept);
      size += kept.length;
    },
    bytes: () => Buffer.concat(chunks, size),
    get dropped() {
      return dropped;
    },
  };
}

export function createTailBuffer(maxBytes: number): OutputBuffer {
  let chunks: Buffer[] = [];
  let size = 0;
  let dropped = false;
  const compact = (): void => {
    const tail = Buffer.concat(chunks, size).subarray(-maxBytes);
    chunks = [tail];
    size = tail.length;
  };
  return {
    push(chunk) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) dropped = true;
      // Compacting at twice the bound keeps the cost of copying linear.
      if (size > 2 * maxBytes) compact();
    },
    bytes() {
      if (size > maxBytes) compact();
      return Buffer.concat(chunks, size);
    },
    get dropped() {
      return dropped;
    },
  };
}
