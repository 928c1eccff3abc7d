/** Checks paths from agents and diffs, which must not lead out of the repository. */

/**
 * Returns a path within the repository, without `.` and `..`; null for anything else. Agents may name any path, and a
 * program that reads a report would follow it.
 */
export function pathInside(path: string | null): string | null {
  if (path === null || /^(?:[\\/]|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*:\/\/)/u.test(path)) return null;
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && kept.pop() === undefined) return null;
    if (/^\.\.(?:\\|$)/u.test(segment) && segment !== '..') return null;
    if (segment !== '..' && segment !== '.' && segment !== '') kept.push(segment);
  }
  return kept.length === 0 ? null : kept.join('/');
}
