/** Keeps frames on disk for this process only: their file is unlinked at once. */
import { closeSync, openSync, read, rmSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
  const path = join(folder, `.frames-${randomBytes(6).toString('hex')}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  rmSync(path);
  let end = 0;

  return {
    append(bytes) {
      const position = end;
      for (let written = 0; written < bytes.length;) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
      }
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
