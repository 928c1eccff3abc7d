import { randomUUID } from 'node:crypto';
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Refused } from './inside-path.ts';
import type { PlaceToWrite } from './place-to-write.ts';

/** Replaces a file in one step, so that readers never see half of it; its permissions stay. */
export async function replaceFile(
  { path, real, existing }: PlaceToWrite,
  bytes: Uint8Array,
): Promise<{ readonly ok: true } | Refused> {
  const folder = dirname(real);
  const unfinished = join(folder, `.${basename(real)}.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    // A link may have replaced a folder since the check.
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
