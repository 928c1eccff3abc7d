import { useCallback, useState, type ReactElement } from 'react';
import type { RunDetail } from '../../../src/client/run-types.ts';
import { Empty, Loading } from '../design/placeholder.tsx';
import { ReviewView } from '../review/review-view.tsx';
import { findWholeFiles, WholeFiles } from '../review/lines/whole-files.ts';
import { useReviewRequests } from '../review/use-review-requests.ts';
import { linkTo, type Route } from '../route.ts';
import type { ReviewState } from '../run-state.ts';
import { FailureLine } from '../server/failure-line.tsx';
import { useServer } from '../server/server-context.tsx';
import { useAsked, type Asked } from '../server/use-asked.ts';
import { shellWords } from '../words/shell-words.ts';
import { goTo } from '../use-route.ts';
import { useWords } from '../words/language.tsx';
import { runWords } from './run-words.ts';

interface ReviewTabProps {
  readonly route: Extract<Route, { kind: 'run' }>;
  /** With a new one, the change is loaded again. */
  readonly reviews: readonly Pick<ReviewState, 'since'>[];
  readonly detail: Pick<Asked<Pick<RunDetail, 'result' | 'state' | 'last_seq'>>, 'value'>;
}

/** Shows the current result on its change. */
export function ReviewTab({ route, reviews, detail }: ReviewTabProps): ReactElement {
  const words = useWords(runWords);
  const { loading } = useWords(shellWords);
  const { conversation, run: id } = route;
  const { client } = useServer();
  const ask = useCallback(async () => {
    const diff = await client.diff(conversation, id);
    // Known before the first line is drawn: buttons between the hunks would move them.
    return { diff, loadLines: await findWholeFiles(client, { conversation, run: id, diff }) };
  }, [client, conversation, id]);
  // The events of earlier reviews may arrive later than the change that is asked for here, which is theirs.
  const [knownSeq] = useState(detail.value?.last_seq ?? 0);
  const later = reviews.filter(({ since }) => since > knownSeq).length;
  // The earlier change stays until then: what a reader opened would be lost.
  const change = useAsked(ask, later);
  const linkToFinding = useCallback(
    (finding: string) => linkTo(placeOf(conversation, id, finding)),
    [conversation, id],
  );
  const requests = useReviewRequests(conversation, id, detail.value?.state ?? null);
  const result = detail.value?.result ?? null;
  if (detail.value === null) return <Loading>{loading}</Loading>;
  if (result === null) return <Empty>{words.noReview}</Empty>;
  // With the change, findings move to their lines: what a reader focused or unfolded before would be lost.
  const isChangeKnown = change.value !== null || change.failure !== null;
  if (!isChangeKnown) return <Loading>{loading}</Loading>;
  return (
    <>
      {change.failure !== null && <FailureLine failure={change.failure} onAgain={change.reload} />}
      <WholeFiles value={change.value?.loadLines ?? null}>
        <ReviewView
          result={result}
          diff={change.value?.diff ?? null}
          selected={route.finding}
          onSelect={(finding) => goTo(placeOf(conversation, id, finding))}
          linkTo={linkToFinding}
          requests={requests}
        />
      </WholeFiles>
    </>
  );
}

function placeOf(conversation: string, run: string, finding: string): Route {
  return { kind: 'run', conversation, run, tab: 'review', finding };
}
