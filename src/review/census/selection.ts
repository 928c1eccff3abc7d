/** Selects the reviewed paths by the globs of the user and of the repository's own configuration. */
import picomatch from 'picomatch';

export interface Globs {
  /** Empty means everything. A file that a glob names is reviewed even if it is generated, vendored or a lock file. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The user's own globs: from flags, and from a configuration file that the user named. */
export interface Selection extends Globs {
  /** The globs of the repository's configuration at the base of the change; none by default. */
  readonly repository?: Globs | undefined;
}

export const everything: Selection = { include: [], exclude: [] };

export interface Selected {
  /** `named`: matched by a glob of `include`. */
  readonly choice: 'selected' | 'named' | 'not_included' | 'excluded';
  /** The side that left the file out; `user` if both did. */
  readonly by: 'user' | 'repository';
}

/** Compiles the globs: `*.ts` matches at any depth, `src` and `src/` match a whole folder; an exclude wins. */
export function compileSelection({
  include,
  exclude,
  repository = everything,
}: Selection): (path: string) => Selected {
  const isIncluded = compileGlobs([...include, ...repository.include]);
  const isExcluded = compileGlobs(exclude);
  const isExcludedByRepository = compileGlobs(repository.exclude);
  const includes = include.length + repository.include.length > 0;
  const narrows = include.length > 0 ? 'user' : 'repository';
  return (path) => {
    if (isExcluded(path)) return { choice: 'excluded', by: 'user' };
    if (isExcludedByRepository(path)) return { choice: 'excluded', by: 'repository' };
    if (!includes) return { choice: 'selected', by: 'user' };
    return { choice: isIncluded(path) ? 'named' : 'not_included', by: narrows };
  };
}

function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap(expandGlob);
  return patterns.length === 0 ? () => false : picomatch(patterns, { dot: true });
}

function expandGlob(glob: string): readonly string[] {
  const pattern = glob.replace(/^\.?\//u, '').replace(/\/$/u, '');
  if (pattern === '' || pattern === '.') return ['**'];
  const anywhere = pattern.includes('/') ? [] : [`**/${pattern}`, `**/${pattern}/**`];
  return [pattern, `${pattern}/**`, ...anywhere];
}
