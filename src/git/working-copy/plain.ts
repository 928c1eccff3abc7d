/** Lists the files of a folder without git that are copied for a lead. */
import { lstat, readdir } from 'node:fs/promises';
import { CollabError } from '../../errors/collab-error.ts';
import { bytesBelow, isKeptOut, isUnsafe, toBytePath, toBytes, type BytePath } from './paths.ts';

export interface PlainFiles {
  readonly paths: readonly BytePath[];
  /** Number of files left out because of their size. */
  readonly tooLarge: number;
}

/** Folders of package managers and caches; hidden from the lead like ignored files in a repository. */
export const dependencyFolders = [
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.gradle',
  '.terraform',
  '.cache',
];

const maxFileBytes = 1024 * 1024;
const maxFiles = 20_000;
const maxBytes = 512 * 1024 * 1024;

/** @throws CollabError `input` for a folder that is too large to be copied, such as a home folder */
export async function listPlainFiles(root: string): Promise<PlainFiles> {
  const paths: BytePath[] = [];
  let tooLarge = 0;
  let sizeBytes = 0;
  const visit = async (at: BytePath): Promise<void> => {
    const folder = at === '' ? Buffer.from(root) : bytesBelow(root, at);
    const names = await readdir(folder, { encoding: 'buffer' });
    for (const name of names) {
      const path = at === '' ? toBytePath(name) : `${at}/${toBytePath(name)}`;
      if (isUnsafe(path) || isKeptOut(toBytes(path))) continue;
      const found = await lstat(bytesBelow(root, path));
      if (found.isDirectory()) {
        if (!dependencyFolders.includes(toBytePath(name))) await visit(path);
      } else if (found.isFile() && found.size > maxFileBytes) tooLarge += 1;
      else if (found.isFile() || found.isSymbolicLink()) {
        paths.push(path);
        sizeBytes += found.size;
      }
      if (paths.length > maxFiles || sizeBytes > maxBytes) throw tooMuch(root);
    }
  };
  await visit('');
  return { paths, tooLarge };
}

function tooMuch(root: string): CollabError {
  return new CollabError(
    'input',
    `${root} has more than ${maxFiles} files or 512 MB and is not in a git repository`,
    {
      hint: 'Start the run in the folder of the project, or make it a repository: git init',
    },
  );
}
