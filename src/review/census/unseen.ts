/** Parts of a change that should be reviewed but cannot be: a change can never exempt a file from its own review. */
import { linesOf, filesWithin, subtractRanges } from '../../parsers/diff/ranges.ts';
import type { DiffFile, LineRange } from '../../parsers/diff/types.ts';
import { renderNumber } from '../../text/quantities.ts';

export interface Unseen {
  /** `unreadable`: the change does not show all of its lines. `too_long`: only the first added lines are reviewed. */
  readonly kind: 'unreadable' | 'too_long';
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
