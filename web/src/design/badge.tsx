import type { ReactElement, ReactNode } from 'react';
import type { Tone } from './tone.ts';

interface BadgeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
}

/** The state of something in a word. */
export function Badge({ tone, children }: BadgeProps): ReactElement {
  return <span className={`badge ${tone}`}>{children}</span>;
}
