import { useCallback } from 'react';
import { linkTo } from '../../route.ts';
import { useServer } from '../../server/server-context.tsx';
import { useAsked } from '../../server/use-asked.ts';
import { fixNewsOf, noFixes, type FixNews } from './fix-news.ts';

/** Older ones say little about the files of today. */
const mostFixes = 10;

/** Asks for the fixes of a review: they are runs of the same conversation. */
export function useFixNews(conversation: string, review: string): FixNews {
  const { client } = useServer();
  const ask = useCallback(async () => {
    const runs = await client.runs(conversation);
    const fixes = runs.filter(({ kind }) => kind === 'fix').slice(0, mostFixes);
    const details = await Promise.all(fixes.map(({ run_id: run }) => client.run(conversation, run)));
    return fixNewsOf(review, details, (run) =>
      linkTo({ kind: 'run', conversation, run, tab: null, finding: null }),
    );
  }, [client, conversation, review]);
  return useAsked(ask).value ?? noFixes;
}
