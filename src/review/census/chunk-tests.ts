/** Matches each test of a change with its source, by their paths alone. */
import { posix } from 'node:path';

/** Maps each test path to the path of its source; a test whose source is not in the change is left out. */
export function pairTests(paths: readonly string[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string[]>();
  for (const path of paths) {
    if (subjectOf(path) !== null) continue;
    const stem = stemOf(path);
    sources.set(stem, [...(sources.get(stem) ?? []), path]);
  }
  return new Map(
    paths.flatMap((path) => {
      const source = nearest(path, sources.get(subjectOf(path) ?? '') ?? []);
      return source === null ? [] : [[path, source] as const];
    }),
  );
}

/** Returns the name of the tested file, without extension; null if the path is not a test. */
function subjectOf(path: string): string | null {
  const stem = stemOf(path);
  const [, marked] = /^(?:test_|test-)(.+)$/u.exec(stem) ?? /^(.+?)[._-](?:test|spec)s?$/u.exec(stem) ?? [];
  if (marked !== undefined) return marked;
  const [, named] = /\.(?:java|kt|kts|cs|php|swift|scala)$/u.test(path)
    ? (/^(.+?)(?:Tests?|Spec)$/u.exec(stem) ?? [])
    : [];
  if (named !== undefined) return named;
  return foldersOf(path).includes('__tests__') ? stem : null;
}

/** Returns the name up to its last dot: `total.test` of `src/total.test.ts`. */
function stemOf(path: string): string {
  const name = posix.basename(path);
  return name.slice(0, name.length - posix.extname(name).length);
}

/** Picks the source with the right name that shares the most folders with the test; the first of equals. */
function nearest(test: string, sources: readonly string[]): string | null {
  const alike = sources.filter((source) => family(source) === family(test));
  const shared = (source: string) => countShared(foldersOf(test), foldersOf(source));
  return alike.toSorted((left, right) => shared(right) - shared(left))[0] ?? null;
}

function countShared(left: readonly string[], right: readonly string[]): number {
  const both = left.filter((folder) => right.includes(folder)).length;
  // If two share equally many folders, the one with fewer other folders wins.
  return both - right.length / 1000;
}

function foldersOf(path: string): readonly string[] {
  return path.split('/').slice(0, -1);
}

function family(path: string): string {
  const extension = posix.extname(path);
  return /^\.[cm]?[jt]sx?$/u.test(extension) ? 'script' : extension;
}
