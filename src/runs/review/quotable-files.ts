/**
 * The files that a verdict may quote, at the state under review: the copy's text, or the part of a file in the change.
 */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { Finding } from '../../events/collab-event.ts';
import { bareHeader } from '../../parsers/diff/plain.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { wholeFile } from '../../parsers/diff/whole-file.ts';
import type { QuotableFiles } from '../../review/findings/judge-verdict.ts';
import { filesRead } from '../../review/findings/read-files.ts';
import type { ReviewDrive } from './actors.ts';
import { checkerOf } from './finding-checker.ts';
import { textInCopy } from './search-copy.ts';

type QuotableDrive = Pick<
  ReviewDrive,
  'input' | 'change' | 'reviewFolder' | 'copyIsWhole' | 'recorded' | 'answers'
>;

/**
 * `path` is the path of the question's steps: their events include the agent's tool calls. `readBefore`: the files that
 * the agent had read in the run that asked first.
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
      const text = drive.reviewFolder === null ? null : await textInCopy(drive.reviewFolder, file.path);
      if (text !== null) return wholeFile(file.path, text);
      return file.hunks.length > 0 ? file : null;
    },
  };
}

/** Covers only an agent of ours; a caller's reading is not recorded. */
export function pathsRead(
  { input, answers, recorded, reviewFolder }: QuotableDrive,
  path: string,
): readonly string[] {
  const isOurs = checkerOf(input) === 'advisor' || answers.way.kind === 'agent';
  if (!isOurs || reviewFolder === null || !existsSync(reviewFolder)) return [];
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

function withoutText(path: string): DiffFile {
  return { ...bareHeader(path), hunks: [] };
}
