/** Real changes: the differences between consecutive releases of the packages that `npm run test:changes` installs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { languageOf, type Language } from './languages.ts';
import { readNumstat, splitNumstat } from './numstat.ts';
import { releasedPackages, type ReleasedPackage } from './releases.ts';

export interface Difference {
  /** For example `node-gyp 9.4.1 to 10.0.1, Python 2`. */
  readonly name: string;
  readonly language: Language;
  /** Output of `git diff -M`. Paths are relative to the package. */
  readonly diff: string;
  /** Output of `git diff -M --numstat -z` for the same files. */
  readonly numstat: string;
  /** Returns the text of a file in the older release, or '' if it is not there. */
  readonly before: (path: string) => string;
  /** Returns the text of a file in the newer release, or '' if it is not there. */
  readonly after: (path: string) => string;
}

/** A release larger than this is split into several differences, along its folders. */
const mostLines = 1000;
const fewestLines = 20;

/** The folder of all installed releases. */
export const installedReleases = join(import.meta.dirname, 'node_modules');

/** Yields each change of at least 20 lines in one language, in the order of the table of packages. */
export function* releaseDifferences(): Generator<Difference> {
  const { diff, close } = storeReleases();
  try {
    for (const released of releasedPackages) {
      for (const [from, to] of released.runs.flatMap(neighbors)) {
        yield* differencesBetween(released, from, to, diff);
      }
    }
  } finally {
    close();
  }
}

/** Returns the name under which a release is installed: `node-gyp-9-4-1`, `parcel-watcher-2-5-0`. */
export function aliasOf(packageName: string, version: string): string {
  return `${packageName.replace('@', '').replace('/', '-')}-${version.replaceAll('.', '-')}`;
}

/** Returns the text of a file of an installed release, or '' if the release does not have it. */
export function releasedFile(packageName: string, version: string, path: string): string {
  try {
    return readFileSync(join(installedReleases, aliasOf(packageName, version), path), 'utf8');
  } catch {
    return '';
  }
}

function neighbors(run: readonly string[]): readonly (readonly [string, string])[] {
  return run.slice(1).map((to, index) => [run[index] ?? to, to]);
}

function* differencesBetween(
  { name, sources }: ReleasedPackage,
  from: string,
  to: string,
  diff: GitDiff,
): Generator<Difference> {
  const trees = [aliasOf(name, from), aliasOf(name, to)] as const;
  const before = (path: string) => releasedFile(name, from, path);
  const after = (path: string) => releasedFile(name, to, path);
  const changed = changedFiles(
    diff(trees, sources),
    diff(trees, sources, '--numstat', '-z'),
    (path) => after(path) || before(path),
  );
  for (const language of new Set(changed.map((file) => file.language))) {
    if (language === null) continue;
    const files = changed.filter((file) => file.language === language);
    const parts = splitBySize(files).filter((part) => linesOf(part) >= fewestLines);
    for (const [index, part] of parts.entries()) {
      yield {
        name: `${name} ${from} to ${to}, ${language}${parts.length > 1 ? ` ${index + 1}` : ''}`,
        language,
        diff: part.map((file) => file.diff).join(''),
        numstat: part.map((file) => file.numstat).join(''),
        before,
        after,
      };
    }
  }
}

interface ChangedFile {
  readonly language: Language | null;
  readonly diff: string;
  readonly numstat: string;
  readonly lines: number;
}

/** Cuts both outputs of git into files. No line of a file's content can begin with `diff`. */
function changedFiles(
  diff: string,
  numstat: string,
  textOf: (path: string) => string,
): readonly ChangedFile[] {
  const sections = diff.split(/^(?=diff --git )/m);
  const records = splitNumstat(numstat);
  return records.map((record, index) => {
    const [{ added, removed, to } = { added: 0, removed: 0, to: '' }] = readNumstat(record);
    return {
      language: languageOf(to, textOf(to)),
      diff: sections[index] ?? '',
      numstat: record,
      lines: (added ?? 0) + (removed ?? 0),
    };
  });
}

/** Neighbors in git's order of paths stay together. A single file is never split. */
function splitBySize(files: readonly ChangedFile[]): readonly (readonly ChangedFile[])[] {
  const parts: ChangedFile[][] = [];
  for (const file of files) {
    const part = parts.at(-1);
    if (part === undefined || linesOf([...part, file]) > mostLines) parts.push([file]);
    else part.push(file);
  }
  return parts;
}

function linesOf(files: readonly ChangedFile[]): number {
  return files.reduce((total, { lines }) => total + lines, 0);
}

type GitDiff = (
  aliases: readonly [string, string],
  paths: readonly string[],
  ...flags: readonly string[]
) => string;

/** Stores all installed releases in a temporary repository. The user's own git configuration is not read. */
function storeReleases(): { readonly diff: GitDiff; readonly close: () => void } {
  const aliases = releasedPackages.flatMap(({ name, runs }) =>
    runs.flat().map((version) => aliasOf(name, version)),
  );
  const missing = aliases.filter((alias) => !existsSync(join(installedReleases, alias)));
  if (missing.length > 0) throw new Error(`${missing.join(', ')}: not installed. Run npm run test:changes`);
  const folder = mkdtempSync(join(tmpdir(), 'collab-releases-'));
  const git = (args: readonly string[], more: Readonly<Record<string, string>> = {}): string =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_DIR: join(folder, '.git'),
        ...more,
      },
      maxBuffer: 2 ** 28,
    });
  git(['init', '--quiet']);
  git(['add', '--force', '--', ...aliases.map((alias) => `:/${alias}`), ':(exclude,glob)*/node_modules/**'], {
    GIT_WORK_TREE: installedReleases,
  });
  const root = git(['write-tree']).trim();
  return {
    diff: ([from, to], paths, ...flags) =>
      git(['diff', '-M', ...flags, `${root}:${from}`, `${root}:${to}`, '--', ...paths]),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
