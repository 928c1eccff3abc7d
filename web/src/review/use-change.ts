/** The change of a review with its findings at their places. */
import { useCallback, useMemo, useState } from 'react';
import type { Finding } from '../../../src/client/run-events.ts';
import { parseUnifiedDiff } from '../../../src/client/review.ts';
import { filesOpenAtFirst } from './open-files.ts';
import { placeFindings, type PlacedFindings } from './place-findings.ts';

export interface ShownChange extends PlacedFindings {
  readonly isOpen: (fileId: string) => boolean;
  readonly toggle: (fileId: string) => void;
  readonly open: (fileId: string) => void;
}

export function useChange(diff: string | null, findings: readonly Finding[]): ShownChange {
  const files = useMemo(() => parseUnifiedDiff(diff ?? '').files, [diff]);
  const placed = useMemo(() => placeFindings(files, findings), [files, findings]);
  const openAtFirst = useMemo(() => filesOpenAtFirst(placed), [placed]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = (id: string): boolean => chosen.get(id) ?? openAtFirst.has(id);
  const put = useCallback(
    (id: string, value: boolean) => setChosen((before) => new Map(before).set(id, value)),
    [],
  );
  const open = useCallback((id: string) => put(id, true), [put]);
  return { ...placed, isOpen, toggle: (id) => put(id, !isOpen(id)), open };
}

/** The file at whose lines, or at whose head, a finding stands; null where it stands apart. */
export function fileOfFinding({ files }: PlacedFindings, finding: string): string | null {
  const home = files.find(({ findings: { byLine, ofFile } }) =>
    [...ofFile, ...[...byLine.values()].flat()].some(({ id }) => id === finding),
  );
  return home?.id ?? null;
}
