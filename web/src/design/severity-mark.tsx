import type { ReactElement, ReactNode } from 'react';
import type { Severity } from '../../../src/client/run-events.ts';
import type { Tone } from './tone.ts';

interface SeverityMarkProps {
  readonly severity: Severity;
  /** The word that names it, or a number with the word. */
  readonly children: ReactNode;
}

/** A shape and a word: the color only repeats them. */
export function SeverityMark({ severity, children }: SeverityMarkProps): ReactElement {
  return (
    <span className={`severity ${severityTones[severity]}`}>
      <span aria-hidden="true">{shapes[severity]}</span> {children}
    </span>
  );
}

const shapes: Readonly<Record<Severity, string>> = { critical: '▲', important: '◆', minor: '●' };

export const severityTones: Readonly<Record<Severity, Tone>> = {
  critical: 'red',
  important: 'orange',
  minor: 'active',
};
