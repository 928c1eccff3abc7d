/** Which file of a change a test is about, told by their paths alone. */
import { posix } from 'node:path';

/** For each path of a test the path of its source; nothing where the change does not hold it. */
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

/** The name of what a test tests, without extension; null for what is no test. */
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

/** The name without what follows its last dot: `total.test` of `src/total.test.ts`. */
function stemOf(path: string): string {
  const name = posix.basename(path);
  return name.slice(0, name.length - posix.extname(name).length);
}

/** Of sources with the right name the one that shares most folders with the test; the first of equals. */
function nearest(test: string, sources: readonly string[]): string | null {
  const alike = sources.filter((source) => family(source) === family(test));
  const shared = (source: string) => countShared(foldersOf(test), foldersOf(source));
  return alike.toSorted((left, right) => shared(right) - shared(left))[0] ?? null;
}

function countShared(left: readonly string[], right: readonly string[]): number {
  const both = left.filter((folder) => right.includes(folder)).length;
  // Of two with as much in common, the one with less besides.
  return both - right.length / 1000;
}

function foldersOf(path: string): readonly string[] {
  return path.split('/').slice(0, -1);
}

function family(path: string): string {
  const extension = posix.extname(path);
  return /^\.[cm]?[jt]sx?$/u.test(extension) ? 'script' : extension;
}
