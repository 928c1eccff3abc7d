import type { SkippedBy } from '../../events/collab-event.ts';
import {
  noAttributes,
  type AttributesByPath,
  type FileAttributes,
} from '../../parsers/diff/file-attributes.ts';
import type { DiffFile, FileChange, ParsedDiff } from '../../parsers/diff/types.ts';
import { selectPaths, type Selected, type Selection } from './selection.ts';
import { generatedMark, wasMinified } from './skip-by-content.ts';
import {
  generatedByName,
  isBinaryName,
  isLeftOutByName,
  isLockFile,
  vendoredFolderOf,
} from './skip-by-path.ts';
import {
  boundAddedText,
  changedEncoding,
  hiddenByChange,
  movedIn,
  unreadable,
  type BoundedFile,
  type Unseen,
} from './unseen.ts';

/**
 * The reasons for skipping a file, each for one and for many files, in the order that a reader of the summary expects: generated files, then files that cannot
 * be shown, then those left out on purpose.
 */
export const skipNouns = {
  lock_file: ['lock file', 'lock files'],
  generated: ['generated file', 'generated files'],
  vendored: ['vendored file', 'vendored files'],
  binary: ['binary', 'binaries'],
  no_content: ['file without changed lines', 'files without changed lines'],
  submodule: ['submodule', 'submodules'],
  excluded: ['excluded file', 'excluded files'],
  excluded_by_repository: ['file excluded by the repository', 'files excluded by the repository'],
  not_included: ['file not included', 'files not included'],
  not_included_by_repository: ['file not included by the repository', 'files not included by the repository'],
  own_folder: ['file of .collab', 'files of .collab'],
} as const;
type SkipKind = keyof typeof skipNouns;

export interface Skip {
  readonly kind: SkipKind;
  /** The printed text: "lock file", "generated (@generated)". */
  readonly reason: string;
  readonly by: SkippedBy;
}

export interface CensusFile {
  readonly path: string;
  readonly file: DiffFile;
  readonly added: number;
  readonly removed: number;
  /** The reason for skipping the file; null if it is to be reviewed. */
  readonly skipped: Skip | null;
  /** The part of a file under review that cannot be reviewed; null if everything can. */
  readonly unseen: Unseen | null;
}

/** Every changed file and line, counted here; no other source is trusted. */
export interface Census {
  readonly files: readonly CensusFile[];
  readonly filesChanged: number;
  /** Added and removed lines, including those of skipped files. */
  readonly linesChanged: number;
  /** The files under review, without the parts that cannot be reviewed. */
  readonly reviewable: readonly DiffFile[];
  /** A summary of skipped files: "2 lock files, 1 binary"; empty if none are skipped. */
  readonly summary: string;
}

/**
 * Decides for every file of the change whether it is reviewed, and if not, why. Paths, the user and the old side
 * decide; new content can only add work.
 */
export function takeCensus(
  diff: ParsedDiff,
  selection: Selection,
  { attributes = {}, hidden = [] }: ChangeFacts = {},
): Census {
  const named = diff.files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
  const paths = [...named, ...hidden];
  const select = selectPaths(selection, paths);
  const known: Known = {
    select,
    // A file may be named `constructor`.
    attributesOf: (path) => (Object.hasOwn(attributes, path) ? attributes[path] : undefined) ?? noAttributes,
  };
  const movedAway = namesMovedAway(diff.files, known);
  const counted = [
    ...diff.files.map((file) => countFile(file, known, movedAway)),
    ...hidden.filter((path) => !isLeftOutByName(path)).map((path) => countHidden(path, known)),
  ];
  const files = counted.map(({ entry }) => entry);
  return {
    files,
    filesChanged: files.length,
    linesChanged: files.reduce((sum, { added, removed }) => sum + added + removed, 0),
    reviewable: counted.flatMap(({ reviewable }) => (reviewable === null ? [] : [reviewable])),
    summary: summarise(files),
  };
}

/** Facts about a change that its diff does not show. */
export interface ChangeFacts {
  /** Attributes of the changed files before the change. */
  readonly attributes?: AttributesByPath | undefined;
  /** Files that ignore rules of the change keep out of it; a folder's path ends with a slash. */
  readonly hidden?: readonly string[] | undefined;
}

/** Facts about a path before the change. */
interface Known {
  readonly select: (path: string) => Selected;
  readonly attributesOf: (path: string) => FileAttributes;
}

interface CountedFile {
  readonly entry: CensusFile;
  /** The part to review; null if no line of it can be reviewed. */
  readonly reviewable: DiffFile | null;
}

function countFile(file: DiffFile, known: Known, movedAway: ReadonlySet<string>): CountedFile {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const skipped = whySkipped(file, known, movedAway);
  const isNamed = known.select(file.path).choice === 'named';
  const seen = skipped === null ? seenOf(file, isNamed, known) : { file, unseen: null };
  return {
    entry: {
      path: file.path,
      file,
      added: lines.filter(({ kind }) => kind === 'added').length,
      removed: lines.filter(({ kind }) => kind === 'removed').length,
      skipped,
      unseen: seen.unseen,
    },
    reviewable: skipped === null && seen.file.hunks.length > 0 ? seen.file : null,
  };
}

/** A hidden file that its path does not exempt should be reviewed, but the change does not contain it. */
function countHidden(path: string, known: Known): CountedFile {
  const skipped = whySkipped(absentFile(path), known, new Set());
  const unseen = skipped === null ? hiddenByChange : null;
  const entry = { path, file: absentFile(path), added: 0, removed: 0, skipped, unseen };
  return { entry, reviewable: null };
}

function absentFile(path: string): DiffFile {
  const none = { oldPath: null, oldBlob: null, newBlob: null, oldMode: null, newMode: null };
  return { ...none, path, change: 'added', binary: true, hunks: [] };
}

/** Bounds the text of a file, unless a glob names it: then all of it is reviewed. */
function seenOf(file: DiffFile, isNamed: boolean, known: Known): BoundedFile {
  if (showsNothing(file)) return { file, unseen: unreadable };
  if (isMovedIn(file, known)) return { file, unseen: movedIn };
  const encoding = changedEncoding(file);
  if (encoding !== null) return { file, unseen: encoding };
  return isNamed ? { file, unseen: null } : boundAddedText(file);
}

function whySkipped(file: DiffFile, known: Known, movedAway: ReadonlySet<string>): Skip | null {
  const { choice, by } = known.select(file.path);
  if (by === 'user' && choice === 'excluded') return { kind: 'excluded', reason: 'excluded', by };
  if (by === 'user' && choice === 'not_included') return { kind: 'not_included', reason: 'not included', by };
  const byPlace = skipByPlace(file.path, known);
  if (byPlace !== null && !isMovedHere(file, known, movedAway)) return byPlace;
  const byForm = skipByForm(file, known);
  const saysMore = isMovedIn(file, known) || changedEncoding(file) !== null;
  if (byForm?.kind === 'no_content' && saysMore) return null;
  return byForm ?? (choice === 'named' ? null : skipByOldContent(file, known));
}

/** Checks whether a file that was reviewed at its old path was moved: moving it below `vendor/` does not exempt it. */
function isMovedHere(
  { change, path, oldPath }: DiffFile,
  known: Known,
  movedAway: ReadonlySet<string>,
): boolean {
  if (change === 'renamed' || change === 'copied') {
    return oldPath !== null && skipByPlace(oldPath, known) === null;
  }
  return change === 'added' && movedAway.has(nameOf(path));
}

/** Checks whether a file that was skipped at its old path was moved to a place that is reviewed. */
function isMovedIn({ change, oldPath }: DiffFile, known: Known): boolean {
  const isMove = change === 'renamed' || change === 'copied';
  return isMove && oldPath !== null && skipByPlace(oldPath, known) !== null;
}

/** Returns the names of deleted files that would have been reviewed: git does not recognize every move. */
function namesMovedAway(files: readonly DiffFile[], known: Known): ReadonlySet<string> {
  const gone = files.filter(({ change, path }) => change === 'deleted' && skipByPlace(path, known) === null);
  return new Set(gone.map(({ path }) => nameOf(path)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Decides by the path alone and by the repository's attributes for it before the change. */
function skipByPlace(path: string, { select, attributesOf }: Known): Skip | null {
  if (/(?:^|\/)\.collab\//u.test(path)) return skipByUs('own_folder', "collab's own folder");
  const { choice, by } = select(path);
  if (by === 'repository' && choice === 'excluded') {
    return { kind: 'excluded_by_repository', reason: 'excluded by the repository', by };
  }
  if (by === 'repository' && choice === 'not_included') {
    return { kind: 'not_included_by_repository', reason: 'not included by the repository', by };
  }
  if (choice === 'named') return null;
  const { generated, vendored, shown } = attributesOf(path);
  if (!shown) return skipByAttributes('binary');
  if (generated === true) return skipByAttributes('generated');
  if (vendored === true) return skipByAttributes('vendored');
  if (isLockFile(path)) return skipByUs('lock_file', 'lock file');
  const folder = vendoredFolderOf(path);
  if (folder !== null && vendored === null) return skipByUs('vendored', `vendored (${folder}/)`);
  const name = generated === false ? null : generatedByName(path);
  return name === null ? null : skipByUs('generated', `generated (${name})`);
}

function skipByUs(kind: SkipKind, reason: string): Skip {
  return { kind, reason, by: 'collab' };
}

/** The project's own attributes take precedence over our reading of names and marks. */
function skipByAttributes(kind: 'binary' | 'generated' | 'vendored'): Skip {
  return { kind, reason: `${kind} (.gitattributes)`, by: 'repository' };
}

/**
 * Skips a file without lines to show. A binary file is skipped if its name or its old content identifies it as binary.
 */
function skipByForm(file: DiffFile, { attributesOf }: Known): Skip | null {
  if (file.oldMode === submoduleMode || file.newMode === submoduleMode) {
    return skipByUs('submodule', 'submodule');
  }
  if (showsNothing(file)) {
    const wasBinary = file.change === 'deleted' || attributesOf(file.oldPath ?? file.path).wasBinary === true;
    return wasBinary || isBinaryName(file.path) ? skipByUs('binary', 'binary') : null;
  }
  if (file.hunks.some(({ lines }) => lines.some(({ kind }) => kind !== 'context'))) return null;
  return skipByUs('no_content', noContentReasons[file.change] ?? 'no lines');
}

/** Returns true for a binary file without hunks: a file with lines to show is not treated as binary. */
function showsNothing({ binary, hunks }: DiffFile): boolean {
  return binary && hunks.length === 0;
}

const submoduleMode = '160000';

const noContentReasons: Partial<Record<FileChange, string>> = {
  renamed: 'renamed only',
  copied: 'copied only',
  mode_changed: 'mode only',
};

/** Skips a file whose old content was generated. A new file has no old content, so it is reviewed. */
function skipByOldContent(file: DiffFile, { attributesOf }: Known): Skip | null {
  if (attributesOf(file.path).generated === false) return null;
  const mark = generatedMark(file) ?? (wasMinified(file) ? 'minified' : null);
  return mark === null ? null : skipByUs('generated', `generated (${mark})`);
}

function summarise(files: readonly CensusFile[]): string {
  return Object.entries(skipNouns)
    .map(([kind, nouns]) => ({ nouns, count: files.filter(({ skipped }) => skipped?.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ nouns: [one, many], count }) => `${count} ${count === 1 ? one : many}`)
    .join(', ');
}
