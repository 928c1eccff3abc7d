import { useCallback } from 'react';
import type { RunSummary } from '../../../../src/client/run-types.ts';
import { useServer } from '../../server/server-context.tsx';
import { useAsked } from '../../server/use-asked.ts';
import type { DismissNews } from '../review-requests.ts';

export const noDismissals: DismissNews = { reasons: new Map(), open: new Set() };

export interface Dismissing {
  readonly news: DismissNews;
  readonly reload: () => void;
}

/**
 * Asks which findings of a review are dismissed in its repository, and which ones the reader may dismiss: none before the
 * review has ended, so a change of its state asks again.
 */
export function useDismissals(
  conversation: string,
  review: string,
  state: RunSummary['state'] | null,
): Dismissing {
  const { client } = useServer();
  const ask = useCallback(async (): Promise<DismissNews> => {
    const { dismissals, open } = await client.dismissals(conversation, review);
    return {
      reasons: new Map(dismissals.map(({ finding, reason }) => [finding, reason])),
      open: new Set(open),
    };
  }, [client, conversation, review]);
  const { value, reload } = useAsked(ask, state);
  return { news: value ?? noDismissals, reload };
}
