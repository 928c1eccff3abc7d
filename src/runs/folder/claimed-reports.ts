/**
 * Claims on the report files that we write because the repository's configuration requests them. We never replace files
 * that existed before or that git tracks; the claims are kept outside every repository, because a repository could
 * bring its own.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../system/files/in-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { sha256 } from '../../text/digest.ts';
import { stateBase } from '../../system/state-base.ts';
import { claimsFolder, type StateFolderOptions } from './state-folder.ts';

/** Claims a name for reports; returns false if something exists there that is not ours. */
export function claimReport(file: string, options: StateFolderOptions): boolean {
  const base = stateBase(options);
  const claim = base === null ? null : join(base, claimsFolder, sha256(placeOf(file)));
  if (existsSync(file)) return claim !== null && existsSync(claim);
  if (claim === null) return true;
  makeFolder(dirname(claim));
  writeAtomically(claim, `${file}\n`);
  return true;
}

/** Returns the same name for a file, whichever path leads to it. */
function placeOf(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file;
}
