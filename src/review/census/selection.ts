/** Which paths the user wants reviewed: globs of `--include` and `--exclude`. */
import picomatch from 'picomatch';

export interface Selection {
  /** Empty: everything that nobody's rule skips. What a glob names is reviewed although it is generated, vendored or a lock file. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export const everything: Selection = { include: [], exclude: [] };

/** `named`: by a glob of `include`. */
export type Selected = 'selected' | 'named' | 'not_included' | 'excluded';

/** `*.ts` matches at any depth, `src` and `src/` a whole folder; `--exclude` wins. */
export function compileSelection({ include, exclude }: Selection): (path: string) => Selected {
  const isIncluded = compileGlobs(include);
  const isExcluded = compileGlobs(exclude);
  return (path) => {
    if (isExcluded(path)) return 'excluded';
    if (include.length === 0) return 'selected';
    return isIncluded(path) ? 'named' : 'not_included';
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
