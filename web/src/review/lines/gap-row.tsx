/** The row between two hunks: buttons for the lines that are not shown. */
import type { ReactElement } from 'react';
import { DiffNote, HunkLines } from './diff-table.tsx';
import { linesAtOnce, mostLinesAtOnce, type Gap, type OpenedGap } from './gap-lines.ts';
import { useLineWords } from './line-words.ts';

/** Returns the rows before the hunk of this number, or after the last one. */
export function gapRows(
  gaps: readonly Gap[],
  index: number,
  onOpen: (gap: number, more: OpenedGap) => void,
): readonly ReactElement[] {
  const gap = gaps[index];
  if (gap === undefined) return [];
  const { top, hidden, bottom } = gap;
  return [
    ...(top === null ? [] : [<HunkLines key={`top ${index}`} hunk={top} />]),
    ...(hidden === 0
      ? []
      : [
          <DiffNote key={`gap ${index}`} className="folded">
            <GapButtons
              hidden={hidden}
              hasBefore={index > 0}
              hasAfter={index < gaps.length - 1}
              onOpen={(more) => onOpen(index, more)}
            />
          </DiffNote>,
        ]),
    ...(bottom === null ? [] : [<HunkLines key={`bottom ${index}`} hunk={bottom} />]),
  ];
}

interface GapButtonsProps extends Pick<Gap, 'hidden'> {
  /** There is a hunk before the gap, and one after it. */
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  readonly onOpen: (more: OpenedGap) => void;
}

function GapButtons({ hidden, hasBefore, hasAfter, onOpen }: GapButtonsProps): ReactElement {
  const words = useLineWords();
  const step = Math.min(hidden ?? linesAtOnce, linesAtOnce);
  const isShort = hidden !== null && hidden <= linesAtOnce;
  const all = Math.min(hidden ?? 0, mostLinesAtOnce);
  const allWords = hidden !== null && hidden > mostLinesAtOnce ? words.below : words.all;
  const down = { label: words.below(step), sign: '↓', more: { top: step, bottom: 0 } };
  const up = { label: words.above(step), sign: '↑', more: { top: 0, bottom: step } };
  const whole = {
    label: isShort && hasBefore && hasAfter ? words.between(all) : allWords(all),
    sign: '↕',
    more: hasBefore ? { top: all, bottom: 0 } : { top: 0, bottom: all },
  };
  const buttons = isShort
    ? [hasBefore && hasAfter ? whole : hasBefore ? down : up]
    : [...(hasBefore ? [down] : []), ...(hasAfter ? [up] : []), ...(all > 0 ? [whole] : [])];
  return (
    <span className="gap-buttons">
      {buttons.map(({ label, sign, more }) => (
        <button key={sign} type="button" onClick={() => onOpen(more)}>
          <span aria-hidden="true">{sign}</span> {label}
        </button>
      ))}
    </span>
  );
}
