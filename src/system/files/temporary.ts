import { constants, mkdtempSync, rmSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileFault } from './fault.ts';
import { inFolder, realPlace } from './in-folder.ts';
import { openRegular } from './read.ts';

/**
 * Creates a folder of a new name, mode 0700, and returns its real path. The caller removes it.
 * @throws CollabError `file`
 */
export function makeTemporaryFolder(prefix: string, parent: string = tmpdir()): string {
  const folder = realPlace(parent);
  try {
    return mkdtempSync(join(folder, prefix));
  } catch (error) {
    throw fileFault(error, folder);
  }
}

/** Creates a file of this process alone: its name is removed at once. @throws CollabError `input`, `file` */
export function openScratchFile(folder: string) {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
  const name = `.scratch-${randomBytes(6).toString('hex')}`;
  const descriptor = inFolder(folder, ({ at }) => {
    const opened = openRegular(at(name), join(folder, name), flags);
    rmSync(at(name));
    return opened;
  });
  return {
    /** Open for reading, too. The caller closes it. */
    descriptor,
    /** @throws CollabError `file` */
    writeAt(position: number, bytes: Uint8Array): void {
      try {
        for (let written = 0; written < bytes.length;) {
          written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
        }
      } catch (error) {
        throw fileFault(error, folder);
      }
    },
  };
}
