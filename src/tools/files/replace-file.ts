import { randomUUID } from 'node:crypto';
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Refused } from './inside-path.ts';
import type { PlaceToWrite } from './place-to-write.ts';

/** Writes a file whole or not at all, in one step for whoever reads it; its permissions stay. */
export async function replaceFile(
  { path, real, existing }: PlaceToWrite,
  bytes: Uint8Array,
): Promise<{ readonly ok: true } | Refused> {
  const folder = dirname(real);
  const unfinished = join(folder, `.${basename(real)}.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    // Between the look and the writing a link may have taken the place of a folder.
    if ((await realpath(folder)) !== folder) return { ok: false, why: `${path} has moved meanwhile.` };
    await writeFile(unfinished, bytes, { flag: 'wx' });
    if (existing !== null) await chmod(unfinished, (await stat(real)).mode);
    await rename(unfinished, real);
    return { ok: true };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    if (code === null) throw error;
    return { ok: false, why: `${path} cannot be written (${code}).` };
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}
