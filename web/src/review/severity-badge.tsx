import type { ReactElement } from 'react';
import type { Severity } from '../../../src/client/run-events.ts';
import { severityShapes } from '../design/severity-shapes.ts';
import { useReviewWords } from './review-words.ts';

/** A shape and a word: the color only repeats them. */
export function SeverityBadge({ severity }: { readonly severity: Severity }): ReactElement {
  const words = useReviewWords();
  return (
    <span className={`severity ${severity}`}>
      <span aria-hidden="true">{severityShapes[severity]}</span> {words.severity[severity]}
    </span>
  );
}
