/** A text file to which others append lines. */
import { open, type FileHandle } from 'node:fs/promises';
import { hasCode } from '../errors/has-code.ts';

export interface GrowingFile {
  /** Whole lines that were not read before, of many a part; empty where there is none, or no such file yet. */
  nextLines(): Promise<Buffer>;
  close(): Promise<void>;
}

const partBytes = 64 * 1024;

export function openGrowingFile(path: string): GrowingFile {
  let handle: FileHandle | null = null;
  let offset = 0;

  async function readPart(from: FileHandle, sizeBytes: number): Promise<Buffer> {
    const { buffer, bytesRead } = await from.read({
      buffer: Buffer.allocUnsafe(sizeBytes),
      position: offset,
    });
    const lines = bytesRead === 0 ? 0 : buffer.lastIndexOf(0x0a, bytesRead - 1) + 1;
    // A line that is longer than a part.
    if (lines === 0 && bytesRead === sizeBytes) return readPart(from, 2 * sizeBytes);
    offset += lines;
    return buffer.subarray(0, lines);
  }

  return {
    async nextLines() {
      handle ??= await openIfThere(path);
      return handle === null ? Buffer.alloc(0) : readPart(handle, partBytes);
    },
    async close() {
      await handle?.close();
    },
  };
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
