import { useCallback } from 'react';
import { useServer } from '../../server/server-context.tsx';
import { useAsked } from '../../server/use-asked.ts';
import type { DismissNews } from '../review-requests.ts';

export const noDismissals: DismissNews = { reasons: new Map(), open: new Set() };

export interface Dismissing {
  readonly news: DismissNews;
  readonly reload: () => void;
}

/** Asks which findings of a review are dismissed in its repository, and which ones the reader may dismiss. */
export function useDismissals(conversation: string, review: string): Dismissing {
  const { client } = useServer();
  const ask = useCallback(async (): Promise<DismissNews> => {
    const { dismissals, open } = await client.dismissals(conversation, review);
    return {
      reasons: new Map(dismissals.map(({ finding, reason }) => [finding, reason])),
      open: new Set(open),
    };
  }, [client, conversation, review]);
  const { value, reload } = useAsked(ask);
  return { news: value ?? noDismissals, reload };
}
