import { neutralise } from '../../text/neutralise.ts';

/** What stands for a file where a format asks for one and a finding has none: the root of the repository. */
const noFile = '.';

/** The path as the host knows the file; only one with control characters in its name, which no host could show, is not exact. */
export function reportedPath(path: string | null): string {
  return path === null || path === ''
    ? noFile
    : neutralise(path).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}
