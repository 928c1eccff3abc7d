/** Searches the files under review for quotations that the change does not contain. */
import type { RunContext } from '../../engine/port.ts';
import type { SearchInput, SearchOutput } from '../../machine/review/review-machine.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { wholeFile } from '../../parsers/diff/whole-file.ts';
import { placeInWhole } from '../../review/findings/anchors.ts';
import { digestOf } from '../../text/digest.ts';
import { findInside } from '../../tools/files/find-inside.ts';
import { readInsideText } from '../../tools/files/read-text.ts';
import { masked } from '../../secrets/mask-secrets.ts';

export interface SearchedCopy {
  /** The files under review; null if this run has no copy of them. */
  readonly folder: string | null;
  /** Resolves when every file is in it. */
  readonly whole: () => Promise<unknown>;
}

/** Files are read within the step: a place is the same on every drive. */
export function searchCopy(
  context: RunContext,
  { folder, whole }: SearchedCopy,
  { path, number, issues }: SearchInput,
): Promise<SearchOutput> {
  if (folder === null) return Promise.resolve(issues.map(() => null));
  return context.child(path, (scope) =>
    scope.step(number === 1 ? 'places' : `places-${number}`, { issues: digestOf(issues) }, async () => {
      await whole();
      const read = new Map<string, DiffFile | null>();
      const places: SearchOutput[number][] = [];
      for (const issue of issues) {
        const file = read.get(issue.path) ?? (await fileIn(folder, issue.path));
        read.set(issue.path, file);
        places.push(file === null ? null : placeInWhole(issue, file));
      }
      return { value: places };
    }),
  );
}

async function fileIn(folder: string, path: string): Promise<DiffFile | null> {
  const text = await textInCopy(folder, path);
  return text === null ? null : wholeFile(path, text);
}

/** Secrets are masked, as in the diff. */
export async function textInCopy(folder: string, path: string): Promise<string | null> {
  const place = await findInside(folder, path);
  const read = place.ok ? readInsideText(place) : place;
  return read.ok ? masked(read.text) : null;
}
