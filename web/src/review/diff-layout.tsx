/** The choice between one column of lines and two, kept in the browser. */
import { createContext, useState, startTransition, type ReactElement } from 'react';
import { Segments } from '../design/segments.tsx';
import { remember, remembered } from '../remember.ts';
import { useReviewWords } from './review-words.ts';

export const diffLayouts = ['unified', 'split'] as const;
export type DiffLayout = (typeof diffLayouts)[number];

/** A context, so that a new layout redraws only the lines. */
export const ChosenLayout = createContext<DiffLayout>('unified');

export interface LayoutChoice {
  /** The pressed button. */
  readonly chosen: DiffLayout;
  /** The layout of the lines, which follow. */
  readonly drawn: DiffLayout;
  readonly choose: (layout: DiffLayout) => void;
}

export function useDiffLayout(): LayoutChoice {
  const [chosen, setChosen] = useState<DiffLayout>(() => remembered('diff', diffLayouts) ?? 'unified');
  const [drawn, setDrawn] = useState(chosen);
  return {
    chosen,
    drawn,
    choose(layout) {
      remember('diff', layout);
      setChosen(layout);
      startTransition(() => setDrawn(layout));
    },
  };
}

export function LayoutButtons({ chosen, choose }: Omit<LayoutChoice, 'drawn'>): ReactElement {
  const words = useReviewWords();
  return (
    <Segments
      label={words.layout}
      names={diffLayouts}
      words={words.layouts}
      pressed={chosen}
      onPress={choose}
    />
  );
}
