/** Parts of a change that should be reviewed but cannot be: a change can never exempt a file from its own review. */
import { linesOf, filesWithin, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { DiffFile, LineRange } from '../../parsers/diff/types.ts';
import { renderNumber } from '../../text/quantities.ts';

export interface Unseen {
  /**
   * `unreadable`: the change does not show all of its lines. `too_long`: only the first added lines are reviewed. `reencoding`: it
   * decides how others are read. `hidden`: an ignore rule of the change keeps it out.
   */
  readonly kind: 'unreadable' | 'too_long' | 'reencoding' | 'hidden';
  /** Fits "a.js: <reason>". */
  readonly reason: string;
}

/** A file that was not known to be binary before, and of which the diff shows nothing. */
export const unreadable: Unseen = {
  kind: 'unreadable',
  reason: 'the change makes it unreadable: it is binary, and neither its name nor its old content says so',
};

/** A file that moved out of a skipped place: it was not reviewed there, and a rename does not show its text. */
export const movedIn: Unseen = {
  kind: 'unreadable',
  reason: 'it was skipped at its old path, and the diff does not have its whole text',
};

/** Attributes that apply to other files at their new path, and of which a rename shows nothing. */
export const movedAttributes: Unseen = {
  kind: 'reencoding',
  reason: 'it applies to other files than at its old path, and the diff does not have its whole text',
};

/** Git would give the files of a checkout another text than a review saw. */
export const reencoding: Unseen = {
  kind: 'reencoding',
  reason:
    'it changes the encoding of other files (working-tree-encoding): a checkout has another text than the diff',
};

/** A file that git would list as new with the ignore rules of the base. */
export const hiddenByChange: Unseen = {
  kind: 'hidden',
  reason: 'excluded by the change: a new or changed ignore rule hides it',
};

/** Files of which a repository can show the whole text. */
export const shownWhole: readonly (Unseen | null)[] = [movedIn, movedAttributes];

/** Returns the effect of a `.gitattributes` file on the encoding of others; null if it has none. */
export function changedEncoding({ path, oldPath, change, hunks }: DiffFile): Unseen | null {
  if (!/(?:^|\/)\.gitattributes$/iu.test(path)) return null;
  if ((change === 'renamed' || change === 'copied') && oldPath !== path) return movedAttributes;
  const added = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'));
  return added.some(({ text }) => givesEncoding(text)) ? reencoding : null;
}

/** UTF-8 is the encoding in which git stores and reviews read text. */
function givesEncoding(line: string): boolean {
  const given = line.matchAll(/\sworking-tree-encoding(?:=(\S*))?(?=\s|$)/gu);
  return [...given].some(([, encoding = '']) => !/^utf-?8$/iu.test(encoding));
}

/** In characters, counted over the added lines of a file with their line ends. */
export const mostAddedCharacters = 64 * 1024;

export interface BoundedFile {
  /** The file without the added lines beyond the bound. */
  readonly file: DiffFile;
  /** The part that is not reviewed; null if all of it is. */
  readonly unseen: Unseen | null;
}

/** Cuts off the added text beyond the bound. */
export function boundAddedText(file: DiffFile): BoundedFile {
  const beyond = linesBeyond(file);
  if (beyond.length === 0) return { file, unseen: null };
  const [bounded = { ...file, hunks: [] }] = filesWithin([file], subtractRanges(linesOf([file]), beyond));
  const reason = `${renderNumber(beyond.length)} added lines beyond the first ${mostAddedCharacters / 1024} KiB are not reviewed`;
  return { file: bounded, unseen: { kind: 'too_long', reason } };
}

function linesBeyond({ path, hunks }: DiffFile): readonly LineRange[] {
  let left = mostAddedCharacters;
  const beyond: LineRange[] = [];
  for (const { lines } of hunks) {
    for (const { kind, text, newLine } of lines) {
      if (kind !== 'added' || newLine === null) continue;
      left -= text.length + 1;
      if (left < 0) beyond.push({ path, side: 'new', start: newLine, end: newLine });
    }
  }
  return beyond;
}
