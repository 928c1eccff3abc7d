/** The row between two hunks: buttons for the lines that are not shown. */
import type { ReactElement } from 'react';
import { Button } from '../../design/button.tsx';
import { above, below, between } from '../../design/icons.ts';
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
  const down = { name: 'down', label: words.below(step), sign: below, more: { top: step, bottom: 0 } };
  const up = { name: 'up', label: words.above(step), sign: above, more: { top: 0, bottom: step } };
  const whole = {
    name: 'whole',
    label: isShort && hasBefore && hasAfter ? words.between(all) : allWords(all),
    sign: between,
    more: hasBefore ? { top: all, bottom: 0 } : { top: 0, bottom: all },
  };
  const buttons = isShort
    ? [hasBefore && hasAfter ? whole : hasBefore ? down : up]
    : [...(hasBefore ? [down] : []), ...(hasAfter ? [up] : []), ...(all > 0 ? [whole] : [])];
  return (
    <span className="gap-buttons">
      {buttons.map(({ name, label, sign, more }) => (
        <Button key={name} size="small" icon={sign} onClick={() => onOpen(more)}>
          {label}
        </Button>
      ))}
    </span>
  );
}
