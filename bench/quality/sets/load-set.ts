/** Recognizes the format of a folder and reads it. */
import { statSync } from 'node:fs';
import { aacrFile, loadAacrSet } from './aacr.ts';
import { QualityError, type BenchmarkSet, type SetChange } from './benchmark-set.ts';
import { loadMartianSet, martianFolder } from './martian.ts';
import { loadQodoSet, qodoFile } from './qodo.ts';
import { isShippedSet, loadShippedSet } from './shipped.ts';

const knownFormats =
  'Known: <name>.diff with <name>.json; AACR-Bench (positive_samples.json); Qodo (git_code_review_bench_100_w_open_prs.jsonl); Martian (golden_comments/*.json).';

/** @throws QualityError for a missing folder, an unknown format, a damaged file and a change that is listed twice */
export function loadSet(folder: string): BenchmarkSet {
  if (!isFolder(folder))
    throw new QualityError(`there is no folder ${folder}`, 'Fetch the set first; see references/quality.md.');
  const set = readSet(folder);
  const names = set.changes.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new QualityError(`${folder} lists ${twice} twice`, 'Fetch the set again.');
  if (names.length === 0) throw new QualityError(`${folder} has no change`, knownFormats);
  return set;
}

/** Chooses changes by name, then the first ones. @throws QualityError for an unknown name */
export function chooseChanges(
  changes: readonly SetChange[],
  { only, limit }: { readonly only: readonly string[] | null; readonly limit: number | null },
): readonly SetChange[] {
  const names = changes.map(({ name }) => name);
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new QualityError(
      `no such change: ${unknown.join(', ')}`,
      `Changes: ${names.slice(0, 20).join(', ')}`,
    );
  const chosen = only === null ? changes : changes.filter(({ name }) => only.includes(name));
  return limit === null ? chosen : chosen.slice(0, limit);
}

function readSet(folder: string): BenchmarkSet {
  const [aacr, qodo, martian] = [aacrFile(folder), qodoFile(folder), martianFolder(folder)];
  if (aacr !== null) return loadAacrSet(folder, aacr);
  if (qodo !== null) return loadQodoSet(folder, qodo);
  if (martian !== null) return loadMartianSet(folder, martian);
  if (isShippedSet(folder)) return loadShippedSet(folder);
  throw new QualityError(`the format of ${folder} is unknown`, knownFormats);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
