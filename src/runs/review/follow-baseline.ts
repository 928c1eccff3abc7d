/** Reads the files of a baseline's findings in the state under review: only their text shows that a finding is gone. */
import { followBaseline, type Baseline } from '../../review/findings/baseline.ts';
import type { NewTexts } from '../../git/change/resolve-change.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { masked } from '../../secrets/mask-secrets.ts';

export interface BaselineReader {
  readonly newTexts: NewTexts;
  /** Returns the baseline as of the change. */
  follow(files: readonly DiffFile[]): Baseline;
}

/** The text of a larger file is not searched. */
const mostCharacters = 1024 * 1024;

export function readForBaseline(baseline: Baseline): BaselineReader {
  const texts = new Map<string, string | null>();
  return {
    newTexts: {
      paths({ text: diffText }) {
        const wanted = new Set(baseline.findings.flatMap(({ path }) => (path === null ? [] : [path])));
        const renamed = parseUnifiedDiff(diffText).files.filter(({ oldPath }) => wanted.has(oldPath ?? ''));
        return [...wanted, ...renamed.map(({ path }) => path)];
      },
      take(path, text) {
        // The quotations of results, and the diff, are masked.
        if (text === null) texts.set(path, null);
        else if (text.length <= mostCharacters) texts.set(path, masked(text));
      },
    },
    follow(files) {
      const changed = new Map(files.map((file) => [file.path, file]));
      return followBaseline(baseline, files, (path) =>
        texts.has(path) ? texts.get(path) : wholeText(changed.get(path)),
      );
    },
  };
}

/** A diff has the whole text of a new file only. */
function wholeText(file: DiffFile | undefined): string | null | undefined {
  if (file?.change === 'deleted') return null;
  if (file?.change !== 'added') return undefined;
  return file.hunks.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n');
}
