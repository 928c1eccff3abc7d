/** Finds the files of a change that import each other, from the lines in the diff. */
import { posix } from 'node:path';
import type { DiffFile } from '../../parsers/diff/types.ts';

export interface Import {
  readonly from: DiffFile;
  readonly to: DiffFile;
}

/** Relative imports of JavaScript, TypeScript and Python, in the order of the files. */
export function findImports(files: readonly DiffFile[]): readonly Import[] {
  const byPath = new Map<string, DiffFile>();
  for (const file of files) if (file.oldPath !== null) byPath.set(file.oldPath, file);
  for (const file of files) byPath.set(file.path, file);
  return files.flatMap((file) => {
    const targets = new Set(
      importedPaths(file).flatMap((candidates) => firstKnown(candidates, byPath) ?? []),
    );
    return [...targets].filter((target) => target !== file).map((to) => ({ from: file, to }));
  });
}

function firstKnown(
  candidates: readonly string[],
  byPath: ReadonlyMap<string, DiffFile>,
): DiffFile | undefined {
  const path = candidates.find((candidate) => byPath.has(candidate));
  return path === undefined ? undefined : byPath.get(path);
}

/** Returns the possible paths of each import. */
function importedPaths({ path, hunks }: DiffFile): readonly (readonly string[])[] {
  const read = /\.[cm]?[jt]sx?$|\.(?:vue|svelte|astro)$/u.test(path)
    ? scriptImports
    : /\.pyi?$/u.test(path)
      ? pythonImports
      : null;
  if (read === null) return [];
  const folder = posix.dirname(path);
  return hunks.flatMap(({ lines }) =>
    lines.flatMap(({ text }) => (text.length > longestImport ? [] : read(text, folder))),
  );
}

/** In characters; a longer line is generated. */
const longestImport = 1000;

function scriptImports(line: string, folder: string): readonly (readonly string[])[] {
  const found = line.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])(\.{1,2}\/[^'"]*|\.{1,2})\1/gu);
  return [...found].map(([, , specifier = '']) => scriptCandidates(posix.join(folder, specifier)));
}

const scriptExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/**
 * Lists the path as written, with a replaced extension (`./a.js` is `a.ts` before compilation), with an added one, and
 * as a folder's index.
 */
function scriptCandidates(path: string): readonly string[] {
  const bare = path.replace(/\.[cm]?jsx?$/u, '').replace(/\/$/u, '');
  const extended = [path, bare].flatMap((start) => scriptExtensions.map((extension) => start + extension));
  return [path, ...extended, ...scriptExtensions.map((extension) => posix.join(bare, `index${extension}`))];
}

function pythonImports(line: string, folder: string): readonly (readonly string[])[] {
  const [, dots = '', module = '', names = ''] =
    /^\s*from\s+(\.+)([\w.]*)\s+import\s+\(?([\w\s,*]*)/u.exec(line) ?? [];
  if (dots === '') return [];
  const parent = posix.join(folder, ...Array.from({ length: dots.length - 1 }, () => '..'));
  if (module !== '') return [pythonCandidates(posix.join(parent, module.replaceAll('.', '/')))];
  return names
    .split(',')
    .map((name) => name.trim().split(/\s/u)[0] ?? '')
    .filter((name) => /^\w+$/u.test(name))
    .map((name) => pythonCandidates(posix.join(parent, name)));
}

function pythonCandidates(path: string): readonly string[] {
  return [`${path}.py`, `${path}/__init__.py`, `${path}.pyi`];
}
