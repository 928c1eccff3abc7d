import { join } from 'node:path';
import {
  readAttributeNames,
  readAttributes,
  type AttributesByPath,
} from '../../parsers/diff/file-attributes.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import type { GitView } from '../repository/git-view.ts';
import type { TreeEntry } from '../repository/list-tree.ts';
import type { ChangedPath } from '../repository/raw-diff.ts';
import { unreadableError } from '../repository/resolve-commits.ts';
import type { GitResult } from '../repository/run-git.ts';

/** The old side of a change, and the paths in which the new side differs. */
export interface ChangedBase {
  readonly from: string;
  readonly changed: readonly ChangedPath[];
  /** The files of `from`. Default: git lists them. */
  readonly files?: readonly TreeEntry[] | undefined;
}

/**
 * Reads the attributes that the old side's `.gitattributes` files give to the changed files. The new side is ignored: a
 * change cannot take its own files out of the review.
 * @throws CollabError `range`
 */
export async function readBaseAttributes(view: GitView, base: ChangedBase): Promise<AttributesByPath> {
  const files = attributeFilesIn(base.files ?? null) ?? (await listAttributeFiles(view, base.from));
  if (files.length === 0) return {};
  const folder = makeTemporaryFolder('collab-attributes-');
  try {
    // An index with these files alone: git 2.39 cannot read attributes from a tree. A clone's own `info/attributes` has
    // no effect: our working copy's file switches all of them off.
    const variables = { GIT_INDEX_FILE: join(folder, 'index') };
    const args = ['check-attr', '--cached', '-z', '--stdin', ...readAttributeNames];
    await run(view.onObjects(['update-index', '-z', '--index-info'], { input: lines(files), variables }));
    const paths = base.changed.map(({ bytes }) => bytes);
    const said = await run(view.onObjects(args, { input: lines(paths), variables }));
    return readAttributes(said.stdout.toString('utf8'));
  } finally {
    await removeTree(folder);
  }
}

/** Returns lines for `update-index`; null if the list does not have the bytes of each name. */
function attributeFilesIn(files: readonly TreeEntry[] | null): readonly string[] | null {
  if (files === null || files.some(({ path }) => path.includes('\uFFFD'))) return null;
  return files
    .filter(({ path, kind }) => kind === 'file' && /(?:^|\/)\.gitattributes$/.test(path))
    .map(({ path, blob }) => `100644 ${blob}\t${Buffer.from(path).toString('latin1')}`);
}

/** Returns the lines of `ls-tree`. */
async function listAttributeFiles(view: GitView, tree: string): Promise<readonly string[]> {
  const listed = await run(view.onObjects(['ls-tree', '-r', '-z', '--full-tree', tree]));
  return listed.stdout
    .toString('latin1')
    .split('\0')
    .filter((entry) => /^100\d{3} .*[\t/]\.gitattributes$/su.test(entry));
}

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\0`).join(''), 'latin1');
}

async function run(started: Promise<GitResult>): Promise<GitResult> {
  const result = await started;
  if (result.exitCode !== 0) throw unreadableError('.gitattributes of the old side cannot be read', result);
  return result;
}
