/** Groups related parts into one chunk, as far as the budget allows. */
import { posix } from 'node:path';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { groupsOf } from '../group-by.ts';
import { findImports } from './chunk-imports.ts';
import { pairTests } from './chunk-tests.ts';

/** A whole file, or a part of one that is too large. */
export interface Part {
  readonly file: DiffFile;
  readonly bytes: number;
}

/** Parts that stay together. */
export interface Cluster {
  /** Folders in the order of the change; in each, a source before its tests. */
  readonly parts: readonly Part[];
  readonly bytes: number;
}

/**
 * Joins parts as long as they fit the budget, nearest first: a test with its source, files that import each other
 * within a folder, a folder, files that import each other across folders. Deterministic, in the order of the change.
 */
export function clusterParts(parts: readonly Part[], budgetBytes: number): readonly Cluster[] {
  const files = parts.map(({ file }) => file);
  const tests = pairTests([...new Set(files.map(({ path }) => path))]);
  const homeOf = ({ path }: DiffFile): string => posix.dirname(tests.get(path) ?? path);
  const sorted = sortParts(parts, tests, homeOf);
  const { join, clusters } = createJoiner(sorted, budgetBytes);
  const byPath = new Map(sorted.map(({ file }) => [file.path, file]));
  for (const [test, source] of tests) join(byPath.get(source), byPath.get(test));
  const imports = findImports(sorted.map(({ file }) => file));
  for (const { from, to } of imports) if (homeOf(from) === homeOf(to)) join(to, from);
  for (const folder of groupsOf(files, homeOf)) joinInTurn(folder, join);
  for (const { from, to } of imports) join(to, from);
  return clusters();
}

function sortParts(
  parts: readonly Part[],
  tests: ReadonlyMap<string, string>,
  homeOf: (file: DiffFile) => string,
): readonly Part[] {
  const places = new Map<string, number>();
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    return place;
  };
  const keyed = parts.map((part) => {
    const { path } = part.file;
    const source = tests.get(path) ?? path;
    return {
      part,
      key: [placeOf(`folder ${homeOf(part.file)}`), placeOf(`file ${source}`), path === source ? 0 : 1],
    };
  });
  return keyed.toSorted((left, right) => compareKeys(left.key, right.key)).map(({ part }) => part);
}

function compareKeys(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((place, index) => place !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/** Returns false if the two would not fit together, or one of them is missing. */
type Join = (one: DiffFile | undefined, other: DiffFile | undefined) => boolean;

function createJoiner(parts: readonly Part[], budgetBytes: number) {
  const places = new Map(parts.map(({ file }, index) => [file, index]));
  const clusterOf = new Map(parts.map((part) => [part.file, { parts: [part], bytes: part.bytes }]));
  const join: Join = (one, other) => {
    if (one === undefined || other === undefined) return false;
    const [first, second] = [clusterOf.get(one), clusterOf.get(other)];
    if (first === undefined || second === undefined || first === second) return first === second;
    if (first.bytes + second.bytes > budgetBytes) return false;
    const [large, small] = first.parts.length < second.parts.length ? [second, first] : [first, second];
    large.parts.push(...small.parts);
    large.bytes += small.bytes;
    for (const { file } of small.parts) clusterOf.set(file, large);
    return true;
  };
  const placeOf = ({ file }: Part): number => places.get(file) ?? 0;
  const inOrder = (list: readonly Part[]): readonly Part[] =>
    list.toSorted((left, right) => placeOf(left) - placeOf(right));
  const clusters = (): readonly Cluster[] =>
    [...new Set(parts.flatMap(({ file }) => clusterOf.get(file) ?? []))].map(({ parts: members, bytes }) => ({
      parts: inOrder(members),
      bytes,
    }));
  return { join, clusters };
}

function joinInTurn(files: readonly DiffFile[], join: Join): void {
  let [current] = files;
  for (const file of files) if (!join(current, file)) current = file;
}
