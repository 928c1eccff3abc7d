import type { FrameBatch } from './event-stream-port.ts';

const newline = 0x0a;

/**
 * Returns a batch without the frames up to `after`. A frame ends with an empty line and contains none: its data is JSON on one
 * line.
 *
 * @param first the number of the batch's first frame
 */
export function framesAfter(batch: FrameBatch, first: number, after: number): FrameBatch {
  let start = 0;
  for (let seq = first; seq <= after; seq += 1) start = endOfFrame(batch.bytes, start);
  return start === 0 ? batch : { lastSeq: batch.lastSeq, bytes: batch.bytes.subarray(start) };
}

function endOfFrame(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(newline, start);
  while (end >= 0 && bytes[end + 1] !== newline) end = bytes.indexOf(newline, end + 1);
  if (end < 0) throw new Error('A batch of frames is cut');
  return end + 2;
}
