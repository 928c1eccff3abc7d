/** Keeps frames on disk for this process only: their file is unlinked at once. */
import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { openScratchFile } from '../../system/files/temporary.ts';

export interface FrameSpool {
  /** Returns the position of the bytes. */
  append(bytes: Uint8Array): number;
  read(position: number, length: number): Promise<Buffer>;
  /** Closes the file. Call it only when no read is in progress. */
  close(): void;
}

const readAt = promisify(read);

/** Opens the file in a run's folder, since temporary folders are often kept in memory. */
export function openFrameSpool(folder: string): FrameSpool {
  const scratch = openScratchFile(folder);
  const { descriptor } = scratch;
  let end = 0;

  return {
    append(bytes) {
      const position = end;
      scratch.writeAt(position, bytes);
      end += bytes.length;
      return position;
    },
    async read(position, length) {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await readAt(descriptor, bytes, filled, length - filled, position + filled);
        if (bytesRead === 0) throw new Error(`The frames at ${position + filled} are gone`);
        filled += bytesRead;
      }
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}
