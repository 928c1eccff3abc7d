/**
 * Finds the untracked files that ignore rules of the change itself keep out of it: git ignores them now, but not with the
 * rules of the base. Git lists them, and a folder that is ignored as a whole is one entry, so nothing below it is read.
 */
import { dirname, join } from 'node:path/posix';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { createFile, createFolder, removeTree } from '../../system/files/tree.ts';
import type { GitView } from '../repository/git-view.ts';
import { workTreeUnreadable } from '../repository/state-trees.ts';

export interface HiddenFiles {
  /** Paths hidden by rules of the change; that of a folder ends with a slash. */
  readonly byChange: readonly string[];
  /** The number of entries that `.git/info/exclude` hides. */
  readonly byOwnRules: number;
}

/** @param base the tree of the old side */
export async function findHiddenFiles(
  view: GitView,
  base: string,
  { ignored, isCut }: Ignored,
): Promise<HiddenFiles> {
  if (ignored.length === 0) return { byChange: [], byOwnRules: 0 };
  const folder = makeTemporaryFolder('collab-ignore-');
  try {
    await writeBaseRules(view, { base, ignored, folder });
    const { byChange, byOwnRules } = await judgeByBase(view, ignored, folder);
    // The files after a cut may be hidden by anything.
    return { byChange: [...atMostFew(byChange), ...(isCut ? ['./'] : [])], byOwnRules };
  } finally {
    await removeTree(folder);
  }
}

/** Returns the top folders instead of more files than a person reads. */
function atMostFew(paths: readonly string[]): readonly string[] {
  if (paths.length <= mostPaths) return paths;
  return [...new Set(paths.map((path) => path.replace(/\/.*$/s, '/')))];
}

const mostPaths = 1000;

/** About a million files that are ignored one by one. */
const mostListedBytes = 32 * 1024 * 1024;

/** Paths that git ignores now; a folder that is ignored as a whole is one path, which ends with a slash. */
export interface Ignored {
  readonly ignored: readonly string[];
  /** True if there are more. */
  readonly isCut: boolean;
}

export async function listIgnored(view: GitView): Promise<Ignored> {
  const listing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const result = await view.inWorkTree(listing, { maxOutputBytes: mostListedBytes });
  if (result.exitCode !== 0 && !result.truncated) throw workTreeUnreadable(result);
  // The last name of a cut list is not whole.
  const names = result.stdout.toString('utf8').split('\0').slice(0, -1);
  const ignored = names.filter((name, index) => !isOfOurs(name) && !isShownByContent(name, names[index + 1]));
  return { ignored, isCut: result.truncated };
}

function isOfOurs(path: string): boolean {
  return path.split('/').includes('.collab');
}

/** Git also lists a folder of which each file is ignored by itself, and the files follow it. */
function isShownByContent(name: string, next = ''): boolean {
  return name.endsWith('/') && next.startsWith(name);
}

interface Rules {
  readonly base: string;
  readonly ignored: readonly string[];
  readonly folder: string;
}

/** Writes the `.gitignore` files of the base that apply to these paths. */
async function writeBaseRules(view: GitView, { base, ignored, folder }: Rules): Promise<void> {
  // A name with a line break cannot be asked for; without its rules, the paths in such a folder count as hidden.
  const folders = [...new Set(ignored.flatMap(foldersAbove))].filter((path) => !path.includes('\n'));
  const files = folders.map((path) => join(path, '.gitignore'));
  const texts = await view.objects.blobs(files.map((file) => `${base}:${file}`));
  for (const [index, path] of folders.entries()) {
    // A folder follows the one that contains it.
    if (path !== '.') createFolder(join(folder, path));
    const text = texts[index] ?? null;
    if (text !== null) createFile(join(folder, path, '.gitignore'), text);
  }
}

/** For `a/b/c` and `a/b/c/`, returns `.`, `a` and `a/b`. */
function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === '.' ? ['.'] : [...foldersAbove(above), above];
}

async function judgeByBase(view: GitView, ignored: readonly string[], folder: string): Promise<HiddenFiles> {
  const result = await view.inWorkTree(['check-ignore', '--no-index', '-v', '-n', '-z', '--stdin'], {
    input: ignored.map((path) => `./${path.endsWith('/') ? `${path}${insideFolder}` : path}\0`).join(''),
    // The command rejects literal names, and reads a leading colon as magic.
    variables: { GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '0' },
  });
  if (result.exitCode !== 0 && result.exitCode !== 1) throw workTreeUnreadable(result);
  const fields = result.stdout.toString('utf8').split('\0');
  const sources = ignored.map((_path, index) => sourceOf(fields.slice(index * 4, index * 4 + 3), view));
  return {
    byChange: ignored.filter((_path, index) => sources[index] === 'change'),
    byOwnRules: sources.filter((source) => source === 'own').length,
  };
}

/** Git takes a path below a folder that does not exist, but not the folder itself. */
const insideFolder = 'collab-5e1f0c';

/** Returns where the deciding rule is, from the source, line and pattern that git prints; all are empty for none. */
function sourceOf([source = '', , pattern = '']: readonly string[], { repository }: GitView): Source {
  if (source === '' || pattern.startsWith('!')) return 'change';
  if (source.endsWith('/info/exclude')) return 'own';
  // An `excludesFile` in the work tree may be new; one elsewhere is the user's.
  return source.startsWith(`${repository.root}/`) ? 'change' : 'base';
}

type Source = 'change' | 'base' | 'own';
