/**
 * Returns the change of a review with its findings at their places. Lines are drawn in transitions: many of them at once
 * would hold up the reader's next key.
 */
import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import type { Finding, ReviewResult } from '../../../src/client/run-events.ts';
import { filesOfChange } from './files-of-change.ts';
import { filesOpenAtFirst, linesOfFirstView } from './open-files.ts';
import { placeFindings, type PlacedFindings } from './place-findings.ts';

export interface ShownChange extends PlacedFindings {
  readonly isOpen: (fileId: string) => boolean;
  readonly toggle: (fileId: string) => void;
  readonly open: (fileId: string) => void;
  /** All lines of the open files are drawn; until then, those of the first view. */
  readonly isWhole: boolean;
  /** Returns how many lines of a file are drawn. */
  readonly linesOf: (fileId: string) => number;
}

interface ChangeOptions {
  readonly diff: string | null;
  readonly findings: readonly Finding[];
  readonly covered: ReviewResult['coverage']['files'];
  /** A finding anywhere in the change is to be seen at once. */
  readonly hasSelected: boolean;
}

export function useChange({ diff, findings, covered, hasSelected }: ChangeOptions): ShownChange {
  const files = useMemo(() => filesOfChange(diff), [diff]);
  const placed = useMemo(() => placeFindings(files, findings), [files, findings]);
  const openAtFirst = useMemo(() => {
    const skipped = covered.filter(({ status }) => status === 'skipped').map(({ path }) => path);
    return filesOpenAtFirst(placed, new Set(skipped));
  }, [placed, covered]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const open = useCallback(
    (id: string) => startTransition(() => setChosen((before) => new Map(before).set(id, true))),
    [],
  );
  // Passed to every file: a function that changed with each render would redraw them all.
  const toggle = useCallback(
    (id: string) =>
      startTransition(() =>
        setChosen((before) => new Map(before).set(id, !(before.get(id) ?? openAtFirst.has(id)))),
      ),
    [openAtFirst],
  );
  const isOpen = (id: string) => chosen.get(id) ?? openAtFirst.has(id);
  const [isWhole, setWhole] = useState(hasSelected);
  useEffect(() => startTransition(() => setWhole(true)), []);
  const first = useMemo(
    () => (isWhole ? null : linesOfFirstView(placed, openAtFirst, innerHeight)),
    [isWhole, placed, openAtFirst],
  );
  const linesOf = (id: string) => (first === null ? Infinity : (first.get(id) ?? 0));
  return { ...placed, isOpen, toggle, open, isWhole, linesOf };
}

/** Returns the file that shows a finding at its lines or at its top; null if the finding is shown separately. */
export function fileOfFinding({ files }: PlacedFindings, finding: string): string | null {
  const home = files.find(({ findings: { byLine, ofFile } }) =>
    [...ofFile, ...[...byLine.values()].flat()].some(({ id }) => id === finding),
  );
  return home?.id ?? null;
}
