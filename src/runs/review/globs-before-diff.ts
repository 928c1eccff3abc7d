/**
 * The globs of the repository's configuration on the old side of a diff from elsewhere: so that a change cannot
 * exclude itself.
 */
import { relative, resolve, sep } from 'node:path';
import { filesOnDisk, type FileSource } from '../../config/file-source.ts';
import { configFileName, loadConfig, topFolder } from '../../config/load-config.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { textBefore } from '../../parsers/diff/text-before.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { Globs } from '../../review/census/selection.ts';

/**
 * The checkout is the old side of the diff unless the diff is applied to it. Returns null if the diff does not change the
 * configuration, so that the globs on the disk count. A configuration that is neither side of the diff excludes nothing.
 */
export async function globsBeforeDiff(diff: string, cwd: string): Promise<Globs | null> {
  if (!diff.includes(configFileName)) return null;
  const top = topFolder(resolve(cwd));
  const changed = parseUnifiedDiff(diff).files.filter(({ path, oldPath }) =>
    [path, oldPath].some((name) => name?.split('/').at(-1) === configFileName),
  );
  if (changed.length === 0) return null;
  const source = sourceBefore(changed, top);
  // A configuration that cannot be read back, or that was damaged, excludes nothing.
  const loaded = await loadConfig({ cwd, source }).catch(() => null);
  return loaded?.globs.ofFile ?? { include: [], exclude: [] };
}

function sourceBefore(changed: readonly DiffFile[], top: string): FileSource {
  return {
    ...filesOnDisk,
    async read(path, name, mostBytes) {
      const text = await filesOnDisk.read(path, name, mostBytes);
      const inDiff = nameIn(changed, relative(top, path).split(sep).join('/'));
      if (inDiff === null) return text;
      const before = textBefore(inDiff.file, inDiff.name, text);
      if (!before.known) throw new Error(`${name} is neither side of the diff`);
      return before.text;
    },
  };
}

/** A diff of one folder, as from `git diff --relative`, has shorter names. */
function nameIn(
  changed: readonly DiffFile[],
  path: string,
): { readonly file: DiffFile; readonly name: string } | null {
  const named = changed.flatMap((file) =>
    [file.path, file.oldPath].flatMap((name) => (name === null ? [] : [{ file, name }])),
  );
  return (
    named.find(({ name }) => name === path) ?? named.find(({ name }) => path.endsWith(`/${name}`)) ?? null
  );
}
