/** Shows what became of findings that were to be fixed: at the findings themselves, and as the result of the fix. */
import type { ReactElement } from 'react';
import type { ReviewResult } from '../../../../src/client/run-events.ts';
import { neutralise } from '../../../../src/client/markdown.ts';
import { Banner } from '../../design/banner.tsx';
import { SeverityBadge } from '../severity-badge.tsx';
import type { FindingFate, FixNews, FixedFinding } from './fix-news.ts';
import { useFixWords } from './fix-words.ts';

export function FixNotice({ active }: Pick<FixNews, 'active'>): ReactElement | null {
  const words = useFixWords();
  if (active === null) return null;
  return (
    <Banner tone="active" role="status">
      {active.state === 'waiting' ? words.waiting : words.running} <a href={active.link}>{words.openFix}</a>
    </Banner>
  );
}

export function FateLine({ fate }: { readonly fate: FindingFate | undefined }): ReactElement | null {
  const words = useFixWords();
  if (fate === undefined) return null;
  return (
    <p className={`fate ${fate.fate}`}>
      <FateText fate={fate} /> {words.applied[fate.applied]} <a href={fate.link}>{words.openFix}</a>
    </p>
  );
}

function FateText({ fate: { fate, reason } }: { readonly fate: Pick<FixedFinding, 'fate' | 'reason'> }) {
  const words = useFixWords();
  return (
    <>
      {words.fate[fate]}
      {reason === null ? '.' : `: ${neutralise(reason)}`}
    </>
  );
}

/** The result of a run that fixes findings. */
export function FixReport({ fix, workflow }: Pick<ReviewResult, 'fix' | 'workflow'>): ReactElement | null {
  const words = useFixWords();
  if (fix === undefined || fix.findings.length === 0) return null;
  return (
    <section className="fix-report" aria-label={words.report}>
      <h3>{words.report}</h3>
      <p>{words.applied[workflow?.applied ?? 'left']}</p>
      <ul>
        {fix.findings.map((judged) => (
          <li key={judged.id} className={`fate ${judged.fate}`}>
            <SeverityBadge severity={judged.severity} /> <strong>{neutralise(judged.title)}</strong>{' '}
            <FateText fate={judged} />
          </li>
        ))}
      </ul>
    </section>
  );
}
