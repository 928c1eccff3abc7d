import { realpathSync } from 'node:fs';
import { findRepository } from '../../git/repository/find-root.ts';

/** Returns true if both folders are in the same repository, or are the same folder outside of any. */
export async function isSameTree(one: string, other: string): Promise<boolean> {
  return (await treeAround(one)) === (await treeAround(other));
}

async function treeAround(folder: string): Promise<string> {
  const root = (await findRepository(folder).catch(() => null))?.root ?? folder;
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}
