/** Selects the reviewed paths by the globs of the user and of the repository's own configuration. */
import picomatch from 'picomatch';
import { CollabError } from '../../errors/collab-error.ts';
import { createBoundedMatcher } from '../../text/bounded-match.ts';

export interface Globs {
  /** Empty means everything. A file that a glob names is reviewed even if it is generated, vendored or a lock file. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The user's own globs: from flags, and from a configuration file that the user named. */
export interface Selection extends Globs {
  /** The globs of the repository's configuration at the base of the change; none by default. */
  readonly repository?: Globs | undefined;
  /** Files and folders by their paths from the top of the change, without globs: all others are left out. */
  readonly only?: readonly string[] | undefined;
}

export const everything: Selection = { include: [], exclude: [] };

export interface Selected {
  /** `named`: matched by a glob of `include`. */
  readonly choice: 'selected' | 'named' | 'not_included' | 'excluded';
  /** The side that left the file out; `user` if both did. */
  readonly by: 'user' | 'repository';
}

/**
 * Matches the globs with these paths: `*.ts` matches at any depth, `src` and `src/` match a whole folder; an exclude wins.
 * @throws CollabError `usage` for globs that take too long: they may be a tenant's or the repository's
 */
export function selectPaths(
  { include, exclude, repository = everything, only = [] }: Selection,
  paths: readonly string[],
): (path: string) => Selected {
  const isIncluded = matchGlobs([...include, ...repository.include], paths);
  const isExcluded = matchGlobs(exclude, paths);
  const isExcludedByRepository = matchGlobs(repository.exclude, paths);
  const includes = include.length + repository.include.length > 0;
  const narrows = include.length > 0 ? 'user' : 'repository';
  return (path) => {
    if (only.length > 0 && !only.some((one) => isBelow(path, one)))
      return { choice: 'not_included', by: 'user' };
    if (isExcluded(path)) return { choice: 'excluded', by: 'user' };
    if (isExcludedByRepository(path)) return { choice: 'excluded', by: 'repository' };
    if (!includes) return { choice: only.length > 0 ? 'named' : 'selected', by: 'user' };
    return { choice: isIncluded(path) ? 'named' : 'not_included', by: narrows };
  };
}

/** `.` is everything. */
function isBelow(path: string, place: string): boolean {
  return place === '.' || path === place || path.startsWith(`${place}/`);
}

/** Milliseconds for all globs of one list; real ones take microseconds a path. */
const matchLimitMs = 2000;

function matchGlobs(globs: readonly string[], paths: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const patterns = globs.flatMap(expandGlob);
  const match = createBoundedMatcher(
    patterns.map((pattern) => picomatch.makeRe(pattern, { dot: true })),
    matchLimitMs,
  );
  const found = match(paths);
  if (found === null) {
    throw new CollabError('usage', 'the globs of include or exclude take too long to match', {
      hint: 'Use simpler ones: fewer * and braces in each.',
    });
  }
  // A name such as [a].ts also matches the glob that spells it.
  const matching = new Set([...found.map((index) => paths[index]), ...patterns]);
  return (path) => matching.has(path);
}

function expandGlob(glob: string): readonly string[] {
  const pattern = glob.replace(/^\.?\//u, '').replace(/\/$/u, '');
  if (pattern === '' || pattern === '.') return ['**'];
  const anywhere = pattern.includes('/') ? [] : [`**/${pattern}`, `**/${pattern}/**`];
  return [pattern, `${pattern}/**`, ...anywhere];
}
