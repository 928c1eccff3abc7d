import { dirname } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { systemCodeOf } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';
import type { Refused } from './inside-path.ts';
import type { PlaceToWrite } from './place-to-write.ts';

/** Replaces a file in one step, so that readers never see half of it; its permissions stay. */
export function replaceFile(
  { path, real }: Pick<PlaceToWrite, 'path' | 'real'>,
  bytes: Uint8Array,
): { readonly ok: true } | Refused {
  try {
    makeFolder(dirname(real), { mode: 0o777 });
    writeAtomically(real, bytes, { shared: true, synced: false });
    return { ok: true };
  } catch (error) {
    // A link may have replaced a folder since the check.
    if (error instanceof CollabError && error.code === 'input') {
      return { ok: false, why: `${path} was moved in the meantime.` };
    }
    const code = systemCodeOf(error);
    if (code === null) throw error;
    return { ok: false, why: `${path} cannot be written (${code}).` };
  }
}
