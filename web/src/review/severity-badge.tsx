import type { ReactElement } from 'react';
import type { Severity } from '../../../src/client/run-events.ts';
import { SeverityMark } from '../design/severity-mark.tsx';
import { useReviewWords } from './review-words.ts';

/** A shape and a word: the color only repeats them. */
export function SeverityBadge({ severity }: { readonly severity: Severity }): ReactElement {
  const words = useReviewWords();
  return <SeverityMark severity={severity}>{words.severity[severity]}</SeverityMark>;
}
