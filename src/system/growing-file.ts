/** A text file to which other processes append lines. */
import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { openIfThere } from './files/read.ts';

/** About 60 events of a journal, whose reading and sending takes a server a few milliseconds. */
const partBytes = 16 * 1024;
const readFrom = promisify(read);
const closeDescriptor = promisify(close);

export function openGrowingFile(path: string) {
  let descriptor: number | null = null;
  let offset = 0;

  async function readPart(from: number, sizeBytes: number): Promise<Buffer> {
    const { buffer, bytesRead } = await readFrom(from, Buffer.allocUnsafe(sizeBytes), 0, sizeBytes, offset);
    const lines = bytesRead === 0 ? 0 : buffer.lastIndexOf(0x0a, bytesRead - 1) + 1;
    // The line is longer than a part.
    if (lines === 0 && bytesRead === sizeBytes) return readPart(from, 2 * sizeBytes);
    offset += lines;
    return buffer.subarray(0, lines);
  }

  return {
    /** Returns whole lines that were not read before, one part a call; empty if there are none, or no file yet. */
    async nextLines(): Promise<Buffer> {
      descriptor ??= openIfThere(path);
      return descriptor === null ? Buffer.alloc(0) : readPart(descriptor, partBytes);
    },
    async close(): Promise<void> {
      if (descriptor !== null) await closeDescriptor(descriptor);
      descriptor = null;
    },
  };
}
