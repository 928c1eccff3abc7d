import { pathInside } from '../../text/path-inside.ts';
import { neutralise } from '../../text/neutralise.ts';

/** Stands for a file if a format requires one and a finding has none: the root of the repository. */
const noFile = '.';

/**
 * Returns the path as the host shows the file; exact unless the name has control characters, which no host could show.
 */
export function reportedPath(path: string | null): string {
  const inside = pathInside(path);
  return inside === null ? noFile : neutralise(inside).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}
