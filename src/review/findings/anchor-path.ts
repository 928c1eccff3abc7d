import { visibleName } from '../../text/neutralise.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';

/**
 * Returns the files that a path of an answer may mean: first the literal path, then common variants by agents, each
 * only if it is unambiguous.
 */
export function resolvePath(claimed: string, files: readonly DiffFile[]): readonly DiffFile[] {
  const path = cleanPath(claimed);
  if (path === '') return [];
  return (
    filesNamed(files, (file) => file.path === path) ??
    filesNamed(files, (file) => file.oldPath === path) ??
    filesNamed(files, (file) => visibleName(file.path) === visibleName(path)) ??
    filesNamed(files, (file) => file.path === path.replace(/^[ab]\//u, '')) ??
    onlyPath(filesNamed(files, (file) => `/${path}`.endsWith(`/${file.path}`))) ??
    onlyPath(filesNamed(files, (file) => file.path.endsWith(`/${path}`))) ??
    []
  );
}

/**
 * Strips everything that is not part of a path: Markdown's backticks, `./`, a leading slash. Returns forward slashes.
 */
export function cleanPath(claimed: string): string {
  return claimed
    .trim()
    .replaceAll(/^[`'"<]+|[`'">]+$/gu, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/u, '');
}

function filesNamed(
  files: readonly DiffFile[],
  accepts: (file: DiffFile) => boolean,
): readonly DiffFile[] | null {
  const found = files.filter(accepts);
  return found.length === 0 ? null : found;
}

/** One path may occur twice in a change: a file that became a link is deleted and added. */
function onlyPath(found: readonly DiffFile[] | null): readonly DiffFile[] | null {
  return new Set(found?.map(({ path }) => path)).size === 1 ? found : null;
}
