import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from './git-view.ts';
import { gitWords } from './run-git.ts';

/**
 * Returns the contents of blobs, in the given order; null for one that cannot be read. `cat-file --batch` runs no filter.
 */
export async function readBlobs(view: GitView, ids: readonly string[]): Promise<readonly (Buffer | null)[]> {
  if (ids.length === 0) return [];
  const result = await view.onObjects(['cat-file', '--batch'], { input: `${ids.join('\n')}\n` });
  if (result.exitCode !== 0) throw new CollabError('range', `files cannot be read: ${gitWords(result)}`);
  return parseBatch(result.stdout, ids.length);
}

/** `<id> blob <size>\n<content>\n`, or `<id> missing\n`. */
function parseBatch(output: Buffer, count: number): readonly (Buffer | null)[] {
  let position = 0;
  return Array.from({ length: count }, () => {
    const lineEnd = output.indexOf('\n', position);
    const [, type, size] = output.toString('latin1', position, lineEnd).split(' ');
    position = lineEnd + 1;
    if (size === undefined) return null;
    const content = output.subarray(position, position + Number(size));
    position += content.length + 1;
    return type === 'blob' ? content : null;
  });
}
