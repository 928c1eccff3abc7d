/**
 * Chooses the files that are open at first: those with findings, and as many others as a page draws at once. Files that
 * the review left out on purpose, such as a lock file, stay closed.
 */
import type { PlacedFindings } from './place-findings.ts';

/** Lines of the change that are drawn at first. */
const linesDrawn = 1000;
/** A file with findings is folded inside, so it costs at most about this much. */
const linesOfFolded = 400;

/** Returns the ids of the open files. */
export function filesOpenAtFirst(
  { files }: PlacedFindings,
  skipped: ReadonlySet<string>,
): ReadonlySet<string> {
  const open = new Set<string>();
  let left = linesDrawn;
  const entries = files.map(({ id, file, findings }) => ({
    id,
    lines: Math.min(
      linesOfFolded,
      file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0),
    ),
    isSkipped: skipped.has(file.path),
    hasFindings: findings.byLine.size > 0 || findings.ofFile.length > 0,
  }));
  const first = [
    ...entries.filter((entry) => entry.hasFindings),
    ...entries.filter((entry) => !entry.hasFindings && !entry.isSkipped),
  ];
  for (const { id, lines } of first) {
    if (lines > left) continue;
    left -= lines;
    open.add(id);
  }
  return open;
}

/** A line that is not wrapped. */
const leastLineHeightPx = 19;
/** The parts above the first file take at least this height of the window. */
const leastAbovePx = 200;

/** Returns how many lines of each open file a window of that height can show at first: the files further down have none. */
export function linesOfFirstView(
  { files }: PlacedFindings,
  open: ReadonlySet<string>,
  windowHeightPx: number,
): ReadonlyMap<string, number> {
  let left = Math.ceil(Math.max(0, windowHeightPx - leastAbovePx) / leastLineHeightPx);
  return new Map(
    files
      .filter(({ id }) => open.has(id))
      .map(({ id, file }) => {
        const lines = Math.min(
          left,
          file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0),
        );
        left -= lines;
        return [id, lines];
      }),
  );
}
