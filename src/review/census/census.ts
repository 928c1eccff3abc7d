import type { AttributesByPath, FileAttributes } from '../../parsers/diff/file-attributes.ts';
import type { DiffFile, FileChange, ParsedDiff } from '../../parsers/diff/types.ts';
import { compileSelection, type Selected, type Selection } from './selection.ts';
import { generatedMark, looksMinified } from './skip-by-content.ts';
import { generatedByName, isLockFile, vendoredFolderOf } from './skip-by-path.ts';

/** Why a file is not reviewed. */
export const skipKinds = [
  'own_folder',
  'excluded',
  'not_included',
  'submodule',
  'binary',
  'no_content',
  'lock_file',
  'vendored',
  'generated',
] as const;
export type SkipKind = (typeof skipKinds)[number];

export interface Skip {
  readonly kind: SkipKind;
  /** As printed: "lock file", "generated (@generated)". */
  readonly reason: string;
}

export interface CensusFile {
  readonly path: string;
  readonly file: DiffFile;
  readonly added: number;
  readonly removed: number;
  /** Null: the file is reviewable. */
  readonly skipped: Skip | null;
}

/** Every changed file and line, counted here and believed from nobody else. */
export interface Census {
  readonly files: readonly CensusFile[];
  readonly filesChanged: number;
  /** Added and removed lines, of skipped files too. */
  readonly linesChanged: number;
  readonly reviewable: readonly DiffFile[];
  /** What is skipped: "2 lock files, 1 binary"; empty where nothing is. */
  readonly summary: string;
}

/** Says of every file of the change whether it is reviewed, and if not, why. */
export function takeCensus(
  diff: ParsedDiff,
  selection: Selection,
  attributes: AttributesByPath = {},
): Census {
  const select = compileSelection(selection);
  // A file may be called `constructor`.
  const attributesOf = ({ path }: DiffFile) =>
    Object.hasOwn(attributes, path) ? attributes[path] : undefined;
  const files = diff.files.map((file) => countFile(file, select(file.path), attributesOf(file)));
  return {
    files,
    filesChanged: files.length,
    linesChanged: files.reduce((sum, { added, removed }) => sum + added + removed, 0),
    reviewable: files.filter(({ skipped }) => skipped === null).map(({ file }) => file),
    summary: summarise(files),
  };
}

function countFile(file: DiffFile, selected: Selected, attributes: FileAttributes | undefined): CensusFile {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  return {
    path: file.path,
    file,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    skipped: whySkipped(file, selected, attributes),
  };
}

function whySkipped(
  file: DiffFile,
  selected: Selected,
  attributes: FileAttributes = noAttributes,
): Skip | null {
  if (/(?:^|\/)\.collab\//u.test(file.path)) return { kind: 'own_folder', reason: "collab's own folder" };
  if (selected === 'excluded') return { kind: 'excluded', reason: 'excluded' };
  if (selected === 'not_included') return { kind: 'not_included', reason: 'not included' };
  return skipByForm(file) ?? (selected === 'named' ? null : skipByOrigin(file, attributes));
}

const noAttributes: FileAttributes = { generated: null, vendored: null, shown: true };

/** There are no lines that could be shown. */
function skipByForm(file: DiffFile): Skip | null {
  if (file.oldMode === submoduleMode || file.newMode === submoduleMode) {
    return { kind: 'submodule', reason: 'submodule' };
  }
  if (file.binary) return { kind: 'binary', reason: 'binary' };
  if (file.hunks.some(({ lines }) => lines.some(({ kind }) => kind !== 'context'))) return null;
  return { kind: 'no_content', reason: noContentReasons[file.change] ?? 'no lines' };
}

const submoduleMode = '160000';

const noContentReasons: Partial<Record<FileChange, string>> = {
  renamed: 'renamed only',
  copied: 'copied only',
  mode_changed: 'mode only',
};

/** Nobody wrote the lines by hand here. What the project itself says counts before what we make of names and marks. */
function skipByOrigin(file: DiffFile, attributes: FileAttributes): Skip | null {
  const { generated: isGenerated, vendored: isVendored, shown } = attributes;
  if (!shown) return { kind: 'binary', reason: 'binary (.gitattributes)' };
  if (isGenerated === true) return { kind: 'generated', reason: 'generated (.gitattributes)' };
  if (isVendored === true) return { kind: 'vendored', reason: 'vendored (.gitattributes)' };
  if (isLockFile(file.path)) return { kind: 'lock_file', reason: 'lock file' };
  const folder = vendoredFolderOf(file.path);
  if (folder !== null && isVendored === null) return { kind: 'vendored', reason: `vendored (${folder}/)` };
  if (isGenerated === false) return null;
  const generated =
    generatedByName(file.path) ?? generatedMark(file) ?? (looksMinified(file) ? 'minified' : null);
  return generated === null ? null : { kind: 'generated', reason: `generated (${generated})` };
}

const nouns: Readonly<Record<SkipKind, readonly [one: string, many: string]>> = {
  own_folder: ['file of .collab', 'files of .collab'],
  excluded: ['excluded file', 'excluded files'],
  not_included: ['file not included', 'files not included'],
  submodule: ['submodule', 'submodules'],
  binary: ['binary', 'binaries'],
  no_content: ['file without changed lines', 'files without changed lines'],
  lock_file: ['lock file', 'lock files'],
  vendored: ['vendored file', 'vendored files'],
  generated: ['generated file', 'generated files'],
};

function summarise(files: readonly CensusFile[]): string {
  return summaryOrder
    .map((kind) => ({ kind, count: files.filter(({ skipped }) => skipped?.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${nouns[kind][count === 1 ? 0 : 1]}`)
    .join(', ');
}

/** What a reader expects first: machine-made files, then what cannot be shown, then what was left out on purpose. */
const summaryOrder: readonly SkipKind[] = [
  'lock_file',
  'generated',
  'vendored',
  'binary',
  'no_content',
  'submodule',
  'excluded',
  'not_included',
  'own_folder',
];
