/** The whole texts of changed files, after the change: rules read them to see what a hunk does not show. */
import { createHash } from 'node:crypto';
import type { NewTexts } from '../../git/change/resolve-change.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { languageOf } from '../../parsers/languages/language.ts';
import { spansLines } from '../../parsers/languages/text-zones.ts';
import type { HeadReader } from '../../providers/static_review/scan-change.ts';
import { findInside } from '../../tools/files/find-inside.ts';
import { decodeText, readInsideBytes } from '../../tools/files/read-text.ts';

/** The diff shows a new file whole. In a larger change, the hunks of the other files are read alone. */
const mostFiles = 500;
const mostCharacters = 64 * 1024 * 1024;

export interface HeadTexts {
  readonly newTexts: NewTexts;
  readonly headOf: HeadReader;
}

/** Keeps the texts of a change in git. */
export function keepHeadTexts(): HeadTexts {
  const texts = new Map<string, string>();
  let room = mostCharacters;
  return {
    newTexts: {
      paths: ({ changed }) =>
        changed
          .filter(({ path, isGone, isNew }) => !isGone && !isNew && isRead(path))
          .slice(0, mostFiles)
          .map(({ path }) => path),
      take(path, text) {
        if (text === null || text.length > room) return;
        room -= text.length;
        texts.set(path, text);
      },
    },
    headOf: (path) => texts.get(path) ?? null,
  };
}

/**
 * Reads the files of a diff from elsewhere in the repository around `cwd`. A file counts only if the diff names the digest
 * of its content: who sends a diff must not learn anything about other files.
 */
export async function findHeadTexts(cwd: string, files: readonly DiffFile[]): Promise<HeadReader> {
  const root = (await findRepository(cwd))?.root ?? null;
  const digests = new Map(
    files
      .filter(({ path, change }) => change !== 'added' && change !== 'deleted' && isRead(path))
      .slice(0, mostFiles)
      .map(({ path, newBlob }) => [path, newBlob] as const),
  );
  return async (path) => {
    const digest = digests.get(path) ?? null;
    if (root === null || digest === null || digest.length < shortestDigest) return null;
    const place = await findInside(root, path);
    const read = place.ok ? readInsideBytes(place) : place;
    if (!read.ok || !isBlob(read.bytes, digest)) return null;
    const decoded = decodeText(read.bytes, path);
    return decoded.ok ? decoded.text : null;
  };
}

/** A shorter one proves too little. */
const shortestDigest = 7;

function isBlob(content: Uint8Array, digest: string): boolean {
  return ['sha1', 'sha256'].some((algorithm) =>
    createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex').startsWith(digest),
  );
}

function isRead(path: string): boolean {
  return spansLines(languageOf(path));
}
