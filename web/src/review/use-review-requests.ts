import { useMemo } from 'react';
import type { RunSummary } from '../../../src/client/run-types.ts';
import { goTo } from '../use-route.ts';
import { useServer } from '../server/server-context.tsx';
import { useFailed } from '../server/use-asked.ts';
import { useDismissals } from './dismiss/use-dismissals.ts';
import { useFixNews } from './fix/use-fix-news.ts';
import type { ReviewRequests } from './review-requests.ts';

export function useReviewRequests(
  conversation: string,
  review: string,
  state: RunSummary['state'] | null,
): ReviewRequests {
  const { client } = useServer();
  const failed = useFailed();
  const fixes = useFixNews(conversation, review);
  const { news: dismissals, reload } = useDismissals(conversation, review, state);
  return useMemo(
    () => ({
      fixes,
      async fix(findings) {
        try {
          // In the conversation of the review: one of its runs at a time works on the files.
          const run = await client.start(conversation, { kind: 'fix', run: review, findings });
          goTo({ kind: 'run', conversation, run, tab: null, finding: null });
          return null;
        } catch (error) {
          return failed(error);
        }
      },
      dismissals,
      async dismiss(finding, reason) {
        try {
          await client.dismiss(conversation, review, { finding, reason });
          reload();
          return null;
        } catch (error) {
          return failed(error);
        }
      },
    }),
    [client, conversation, dismissals, failed, fixes, reload, review],
  );
}
