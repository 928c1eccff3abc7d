/** Selects the files of a state for the review folder: a pure function of the tree and the change. */
import { posix } from 'node:path';
import type { TreeEntry } from '../repository/list-tree.ts';

export type LeftOutReason =
  | 'environment_file'
  | 'submodule'
  | 'too_large'
  | 'folder_full'
  | 'not_in_clone'
  | 'unsafe_path'
  | 'stopped';

export interface LeftOut {
  readonly path: string;
  readonly reason: LeftOutReason;
}

export interface FolderPlan {
  readonly entries: readonly TreeEntry[];
  readonly leftOut: readonly LeftOut[];
  /** Printed in the first lines of the run; null when the folder is not limited to packages. */
  readonly remark: string | null;
}

const maxFileBytes = 1024 * 1024;
const maxFolderBytes = 512 * 1024 * 1024;
const maxFiles = 20_000;

/** Changed files come first, so that they are the last to be dropped from a full folder. */
export function planFolder(tree: readonly TreeEntry[], changedPaths: readonly string[]): FolderPlan {
  const leftOut: LeftOut[] = [];
  const entries: TreeEntry[] = [];
  const { considered, remark } = confine(tree, changedPaths);
  let folderBytes = 0;
  for (const entry of changedFirst(considered, new Set(changedPaths))) {
    const sizeBytes = entry.sizeBytes ?? 0;
    const reason = faultOf(entry) ?? (folderBytes + sizeBytes > maxFolderBytes ? 'folder_full' : null);
    if (reason === null) {
      folderBytes += sizeBytes;
      entries.push(entry);
    } else {
      leftOut.push({ path: entry.path, reason });
    }
  }
  return { entries, leftOut, remark };
}

/**
 * Returns the content's id of one file for a person; null if agents may not read it either: an `.env`, a link, more than a
 * megabyte.
 */
export function readableBlob(entry: TreeEntry): string | null {
  const [readable] = planFolder([entry], [entry.path]).entries;
  return readable?.kind === 'file' ? readable.blob : null;
}

/**
 * Above 20,000 files, keeps only the packages that the change touches. A file belongs to the nearest parent folder with a
 * manifest.
 */
function confine(tree: readonly TreeEntry[], changedPaths: readonly string[]) {
  if (tree.length <= maxFiles) return { considered: tree, remark: null };
  const packages = new Set(
    tree.filter(({ path }) => isManifest(path)).map(({ path }) => posix.dirname(path)),
  );
  const touched = new Set(changedPaths.map((path) => packageOf(path, packages)));
  const considered = tree.filter(({ path }) => touched.has(packageOf(path, packages)));
  const names = [...touched].toSorted().map((name) => (name === '.' ? 'the top folder' : name));
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
  return {
    considered,
    remark: `repository access: ${considered.length} of ${tree.length} files (${shown || 'no package is touched'})`,
  };
}

function packageOf(path: string, packages: ReadonlySet<string>): string {
  const folder = posix.dirname(path);
  return folder === '.' || packages.has(folder) ? folder : packageOf(folder, packages);
}

const manifests = new Set([
  'package.json',
  'deno.json',
  'Cargo.toml',
  'go.mod',
  'pyproject.toml',
  'setup.py',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'build.sbt',
  'Gemfile',
  'composer.json',
  'mix.exs',
  'pubspec.yaml',
  'Package.swift',
  'CMakeLists.txt',
  'BUILD',
  'BUILD.bazel',
]);

function isManifest(path: string): boolean {
  return manifests.has(posix.basename(path)) || /\.(?:cs|fs|vb)proj$/.test(path);
}

function changedFirst(entries: readonly TreeEntry[], changed: ReadonlySet<string>): readonly TreeEntry[] {
  if (changed.size === 0) return entries;
  return [
    ...entries.filter(({ path }) => changed.has(path)),
    ...entries.filter(({ path }) => !changed.has(path)),
  ];
}

function faultOf({ path, kind, sizeBytes }: TreeEntry): LeftOutReason | null {
  if (unsafePath.test(path)) return 'unsafe_path';
  if (environmentFile.test(path)) return 'environment_file';
  if (kind === 'submodule') return 'submodule';
  if (sizeBytes === null) return 'not_in_clone';
  return sizeBytes > maxFileBytes ? 'too_large' : null;
}

/**
 * A part that is empty, `.`, `..` or `.git`. Git checks the names it adds, not those in a tree made by hand. U+FFFD: the name
 * was not UTF-8.
 */
const unsafePath = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)|[\0\\\uFFFD]/i;
const environmentFile = /(?:^|\/)\.env/i;
