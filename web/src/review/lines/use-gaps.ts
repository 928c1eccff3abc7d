import { startTransition, use, useMemo, useState } from 'react';
import { refusalIn } from '../../../../src/client/refusal.ts';
import { tellFailure, type DiffFile } from '../../../../src/client/review.ts';
import { gapsOf, withOpenedLines, type Gap, type OpenedGap } from './gap-lines.ts';
import { hasMoreLines, WholeFiles, type LoadLines } from './whole-files.ts';

export interface Gaps {
  /** Empty if the file has no other lines to show. */
  readonly gaps: readonly Gap[];
  /** The file with the opened lines. */
  readonly whole: DiffFile;
  readonly isLoading: boolean;
  /** The reason why the lines cannot be shown; null if nothing failed. */
  readonly failure: string | null;
  /** Opens more lines of a gap. */
  readonly open: (gap: number, more: OpenedGap) => void;
}

export function useGaps(file: DiffFile): Gaps {
  const load = use(WholeFiles);
  const [text, setText] = useState<readonly string[] | null>(null);
  const [opened, setOpened] = useState<ReadonlyMap<number, OpenedGap>>(new Map());
  const [isLoading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const canShow = load !== null && hasMoreLines(file);
  const gaps = useMemo(() => (canShow ? gapsOf(file, text, opened) : []), [canShow, file, text, opened]);
  const whole = useMemo(() => withOpenedLines(file, gaps), [file, gaps]);
  return {
    gaps,
    whole,
    isLoading,
    failure,
    open(gap, more) {
      const add = () =>
        startTransition(() =>
          setOpened((before) => {
            const { top, bottom } = before.get(gap) ?? { top: 0, bottom: 0 };
            return new Map(before).set(gap, { top: top + more.top, bottom: bottom + more.bottom });
          }),
        );
      const loadAndAdd = async (read: LoadLines): Promise<void> => {
        setLoading(true);
        setFailure(null);
        try {
          setText(await read(file.path));
          add();
        } catch (error) {
          setFailure(reasonOf(error));
        } finally {
          setLoading(false);
        }
      };
      if (text !== null) add();
      else if (load !== null && !isLoading) void loadAndAdd(load);
    },
  };
}

function reasonOf(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== null) return tellFailure(refusal);
  return error instanceof Error ? error.message : String(error);
}
