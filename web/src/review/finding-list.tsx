/** Lists all findings, most severe first; those that do not count are separate, at the bottom. */
import type { MouseEvent, ReactElement } from 'react';
import { placeOfFinding, type Finding } from '../../../src/client/run-events.ts';
import { neutralise } from '../../../src/client/markdown.ts';
import { Empty } from '../design/placeholder.tsx';
import { PathText } from '../design/path-text.tsx';
import type { FindingLists } from './choose-findings.ts';
import { useReviewWords } from './review-words.ts';
import { SeverityBadge } from './severity-badge.tsx';

export interface FindingListProps {
  readonly lists: FindingLists;
  /** Includes findings that the filter hides. */
  readonly all: number;
  readonly selected: string | null;
  readonly onSelect: (finding: string) => void;
  readonly linkTo: (finding: string) => string;
}

export function FindingList({ lists, all, ...rest }: FindingListProps): ReactElement {
  const words = useReviewWords();
  const { counted, known } = lists;
  if (counted.length + known.length === 0) {
    return <Empty>{all === 0 ? words.noFindings : words.noneShown}</Empty>;
  }
  return (
    <nav aria-label={words.findings} className="finding-list">
      {counted.length === 0 ? (
        <Empty>{words.noFindings}</Empty>
      ) : (
        <Links findings={counted} label={words.findings} {...rest} />
      )}
      {known.length > 0 && (
        <details>
          <summary>{words.known(known.length)}</summary>
          <Links findings={known} label={words.knownHead} {...rest} />
        </details>
      )}
    </nav>
  );
}

interface LinksProps extends Pick<FindingListProps, 'selected' | 'onSelect' | 'linkTo'> {
  readonly findings: readonly Finding[];
  readonly label: string;
}

function Links({ findings, label, selected, onSelect, linkTo }: LinksProps): ReactElement {
  return (
    <ol aria-label={label}>
      {findings.map((finding) => (
        <li key={finding.id}>
          <a
            href={linkTo(finding.id)}
            aria-current={finding.id === selected ? 'true' : undefined}
            onClick={(event) => follow(event, () => onSelect(finding.id))}
          >
            <SeverityBadge severity={finding.severity} /> <span>{neutralise(finding.title)}</span>{' '}
            <code>
              <PathText text={neutralise(placeOfFinding(finding))} />
            </code>
          </a>
        </li>
      ))}
    </ol>
  );
}

/** The browser handles a click for a new tab. */
function follow(event: MouseEvent, select: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  select();
}
