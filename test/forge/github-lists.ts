/** The lists of the loopback GitHub that the publish step reads: open pull requests, and the comments of the conversation. */
import { notFound, type ForgeServerAnswer } from './forge-server.ts';
import { issueCommentOf, pullRequestOf, type CommentFacts } from './github-objects.ts';

export interface ListedPull {
  readonly number: number;
  readonly head: string;
  /** The repository of the head. */
  readonly repository: string;
  readonly state?: 'open' | 'closed';
}

interface Lists {
  readonly pulls: readonly ListedPull[];
  readonly comments: readonly CommentFacts[];
}

/** Returns null for another route. The owner of a branch is not compared: GitHub compares it, and the step must not rely on it. */
export function answerLists(
  route: string,
  query: URLSearchParams,
  { pulls, comments }: Lists,
): ForgeServerAnswer | null {
  if (route === 'GET /issues/7/comments')
    return { status: 200, body: pageOf(comments, query).map(issueCommentOf) };
  if (route === 'GET /pulls') {
    const wanted = pulls.filter(({ state = 'open' }) => state === query.get('state'));
    return { status: 200, body: pageOf(wanted, query).map(pullOf) };
  }
  const [, number] = /^GET \/pulls\/(\d+)$/.exec(route) ?? [];
  if (number === undefined) return null;
  const found = pulls.find((pull) => String(pull.number) === number);
  return found === undefined ? notFound : { status: 200, body: pullOf(found) };
}

export function pageOf<Item>(items: readonly Item[], query: URLSearchParams): readonly Item[] {
  const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
  return items.slice((page - 1) * size, page * size);
}

function pullOf({ number, head, repository, state = 'open' }: ListedPull) {
  const fork = repository === 'shop/till' ? undefined : repository;
  const words = { title: 'Add a till', body: null, draft: false };
  return pullRequestOf({ ...words, number, state, base: '1'.repeat(40), head, fork });
}
