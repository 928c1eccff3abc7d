import type { ReactElement } from 'react';
import type { Severity } from '../../../src/client/run-events.ts';
import { severities } from '../../../src/client/review.ts';
import { Tick } from '../design/field.tsx';
import type { SeverityCounts } from './choose-findings.ts';
import { useReviewWords } from './review-words.ts';

export interface SeverityFilterProps {
  readonly counts: SeverityCounts;
  readonly shown: ReadonlySet<Severity>;
  readonly onChange: (shown: ReadonlySet<Severity>) => void;
}

export function SeverityFilter({ counts, shown, onChange }: SeverityFilterProps): ReactElement {
  const words = useReviewWords();
  return (
    <fieldset className="severity-filter">
      <legend className="for-listeners">{words.filter}</legend>
      {severities.map((severity) => (
        <Tick
          key={severity}
          checked={shown.has(severity)}
          onChange={() => onChange(toggled(shown, severity))}
        >
          {words.severityCount(severity, counts[severity])}
        </Tick>
      ))}
    </fieldset>
  );
}

function toggled(shown: ReadonlySet<Severity>, severity: Severity): ReadonlySet<Severity> {
  const next = new Set(shown);
  if (!next.delete(severity)) next.add(severity);
  return next;
}
