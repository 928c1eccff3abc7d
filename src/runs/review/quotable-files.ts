/**
 * The files that a verdict may quote, at the state under review: the copy's text, or the part of a file in the change.
 */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { Finding } from '../../events/collab-event.ts';
import { bareHeader } from '../../parsers/diff/plain.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { QuotableFiles } from '../../review/findings/judge-verdict.ts';
import { filesRead } from '../../review/findings/read-files.ts';
import { findInside } from '../../tools/files/find-inside.ts';
import { readInsideText } from '../../tools/files/read-text.ts';
import { masked } from '../agents/masked-turn.ts';
import type { ReviewDrive } from './actors.ts';

type QuotableDrive = Pick<ReviewDrive, 'change' | 'reviewFolder' | 'copyIsWhole' | 'recorded' | 'answers'>;

/**
 * `path` is the path of the question's steps: their events include the lead's tool calls. `readBefore`: the files that
 * the lead had read in the run that asked first.
 */
export function quotableFiles(
  drive: QuotableDrive,
  path: string,
  finding: Pick<Finding, 'path'>,
  readBefore: readonly string[] = [],
): QuotableFiles {
  const changed = drive.change.counted.census.files.map(({ file }) => file);
  const own = finding.path === null ? [] : [finding.path];
  const paths = new Set([...own, ...readBefore, ...pathsRead(drive, path)]);
  return {
    files: [...paths].map((name) => changed.find((file) => file.path === name) ?? withoutText(name)),
    async load(file) {
      if (drive.reviewFolder !== null) await drive.copyIsWhole();
      const text = drive.reviewFolder === null ? null : await textIn(drive.reviewFolder, file.path);
      if (text !== null) return asContext(file.path, text);
      return file.hunks.length > 0 ? file : null;
    },
  };
}

/** Covers only an agent of ours; a caller's reading is not recorded. */
export function pathsRead(
  { answers, recorded, reviewFolder }: QuotableDrive,
  path: string,
): readonly string[] {
  if (answers.way.kind !== 'agent' || reviewFolder === null || !existsSync(reviewFolder)) return [];
  const ofAsking = recorded.all().filter(({ step }) => step?.startsWith(`${path}/`) === true);
  const folders = [reviewFolder, realpathSync(reviewFolder)];
  return filesRead(ofAsking).map((named) => withinFolder(named, folders));
}

/** Returns the path as the repository names it. */
function withinFolder(named: string, folders: readonly string[]): string {
  if (!isAbsolute(named)) return named.replace(/^(?:\.\/)+/, '');
  const ways = folders.map((folder) => relative(folder, named));
  return ways.find((way) => !way.startsWith('..')) ?? named;
}

/** Secrets are masked, as in the diff. */
async function textIn(folder: string, path: string): Promise<string | null> {
  const place = await findInside(folder, path);
  const read = place.ok ? readInsideText(place) : place;
  return read.ok ? masked(read.text) : null;
}

function withoutText(path: string): DiffFile {
  return { ...bareHeader(path), hunks: [] };
}

/** Returns a whole file as one hunk without changes, so that quotations are found in it as in a diff. */
function asContext(path: string, text: string): DiffFile {
  const texts = text.split('\n');
  if (texts.at(-1) === '') texts.pop();
  const lines = texts.map((line, index) => ({
    kind: 'context' as const,
    text: line,
    oldLine: index + 1,
    newLine: index + 1,
    noNewline: false,
  }));
  const count = lines.length;
  const hunk = { heading: '', oldStart: 1, oldLines: count, newStart: 1, newLines: count, lines };
  return { ...withoutText(path), hunks: [hunk] };
}
