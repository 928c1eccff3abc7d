/** Writing that is on the disk when it returns. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Makes the folder's entries durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder; NTFS journals the entry itself.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** A new file, mode 0600. */
export function writeSynced(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeAll(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** One `write()`, unless the system takes less than asked. */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}
