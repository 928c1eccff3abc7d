/** Parses the output of `git diff-tree -z --raw`, which a patch may follow. */

export interface ChangedPath {
  readonly path: string;
  /** The name as git wrote it, one character per byte. */
  readonly bytes: string;
  /** True if the new side does not have it. */
  readonly isGone: boolean;
  /** True if the old side does not have it; a renamed file's new path counts as changed. */
  readonly isNew: boolean;
}

export interface RawDiff {
  /** A renamed file is two paths. */
  readonly changed: readonly ChangedPath[];
  /** The offset of the patch. */
  readonly end: number;
}

/** `:<mode> <mode> <id> <id> <status>\0<path>\0`, with two paths for a rename; one more `\0` before a patch. */
export function parseRawDiff(output: Buffer): RawDiff {
  const changed: ChangedPath[] = [];
  let at = 0;
  const next = (): string => {
    const end = output.indexOf(0, at);
    const text = output.toString('latin1', at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    return text;
  };
  while (output[at] === colon) {
    const status = next().split(' ').at(-1) ?? '';
    const bytes = next();
    if (status.startsWith('R')) changed.push(changedPath(bytes, 'D'), changedPath(next(), 'R'));
    else changed.push(changedPath(bytes, status));
  }
  return { changed, end: output[at] === 0 ? at + 1 : at };
}

const colon = ':'.charCodeAt(0);

function changedPath(bytes: string, status: string): ChangedPath {
  const path = Buffer.from(bytes, 'latin1').toString('utf8');
  return { path, bytes, isGone: status === 'D', isNew: status === 'A' };
}
