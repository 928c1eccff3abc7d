import { join } from 'node:path';
import {
  readAttributeNames,
  readAttributes,
  type AttributesByPath,
} from '../../parsers/diff/file-attributes.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import { removeTree } from '../../system/files/tree.ts';
import type { GitView } from '../repository/git-view.ts';
import { unreadableError } from '../repository/resolve-commits.ts';
import type { GitResult } from '../repository/run-git.ts';

/**
 * Reads the attributes that the old side's `.gitattributes` files give to the changed files. The new side is ignored: a
 * change cannot take its own files out of the review.
 * @throws CollabError `range`
 */
export async function readBaseAttributes(view: GitView, from: string, to: string): Promise<AttributesByPath> {
  const files = await listAttributeFiles(view, from);
  if (files.length === 0) return {};
  const changed = await run(
    view.onObjects(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]),
  );
  const folder = makeTemporaryFolder('collab-attributes-');
  try {
    // An index with these files alone: git 2.39 cannot read attributes from a tree. A clone's own `info/attributes` has
    // no effect: our working copy's file switches all of them off.
    const variables = { GIT_INDEX_FILE: join(folder, 'index') };
    const entries = Buffer.from(files.map((entry) => `${entry}\0`).join(''), 'latin1');
    await run(view.onObjects(['update-index', '-z', '--index-info'], { input: entries, variables }));
    const args = ['check-attr', '--cached', '-z', '--stdin', ...readAttributeNames];
    const said = await run(view.onObjects(args, { input: changed.stdout, variables }));
    return readAttributes(said.stdout.toString('utf8'));
  } finally {
    await removeTree(folder);
  }
}

/** Returns the lines of `ls-tree`. */
async function listAttributeFiles(view: GitView, tree: string): Promise<readonly string[]> {
  const listed = await run(view.onObjects(['ls-tree', '-r', '-z', '--full-tree', tree]));
  return listed.stdout
    .toString('latin1')
    .split('\0')
    .filter((entry) => /^100\d{3} .*[\t/]\.gitattributes$/su.test(entry));
}

async function run(started: Promise<GitResult>): Promise<GitResult> {
  const result = await started;
  if (result.exitCode !== 0) throw unreadableError('.gitattributes of the old side cannot be read', result);
  return result;
}
