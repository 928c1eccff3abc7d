/** A round on a pull request of GitHub. Only GraphQL shows whether a thread is resolved; writes are REST where REST can. */
import { z } from 'zod';
import { summaryMark } from '../../views/rounds/summary-body.ts';
import type { Forge } from '../contract.ts';
import { tooManyItems, unreadableAnswer, type PullRequestClient } from '../forge-client.ts';
import { findingMark, type Marks } from '../round/marks.ts';
import { answeredIn, dismissalsIn, readOwnReplies } from '../round/own-replies.ts';
import type { OwnThread } from '../round/plan-round.ts';
import type { RoundComment, RoundHost, SummaryOnHost } from '../round/round-host.ts';
import { putGithubEvidence } from './github-evidence.ts';
import { changeOnGithub } from './github-forge.ts';
import { askGraphql, nodesOf } from './github-graphql.ts';

export interface GithubRoundOptions extends PullRequestClient {
  readonly forge: Forge;
  readonly api: string;
  readonly marks: Marks;
}

const pageInfo = z.looseObject({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const commentSchema = z.looseObject({
  fullDatabaseId: z.union([z.string(), z.int()]).transform(String),
  body: z.string(),
  url: z.string(),
  viewerDidAuthor: z.boolean(),
});
const threadsSchema = z.looseObject({
  repository: z.looseObject({
    pullRequest: z.looseObject({
      headRefOid: z.string(),
      reviewThreads: z.looseObject({
        pageInfo,
        nodes: nodesOf(
          z.looseObject({
            id: z.string(),
            isResolved: z.boolean(),
            comments: z.looseObject({ pageInfo, nodes: nodesOf(commentSchema) }),
          }),
        ),
      }),
    }),
  }),
});
type Thread = z.infer<typeof threadsSchema>['repository']['pullRequest']['reviewThreads']['nodes'][number];
const commentsSchema = z.looseObject({
  repository: z.looseObject({
    pullRequest: z.looseObject({
      comments: z.looseObject({ pageInfo, nodes: nodesOf(commentSchema) }),
    }),
  }),
});

const repliesSchema = z.looseObject({
  node: z.looseObject({ comments: z.looseObject({ pageInfo, nodes: nodesOf(commentSchema) }) }),
});

const threadsQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      headRefOid
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          isResolved
          comments(first: 50) {
            pageInfo { hasNextPage endCursor }
            nodes { fullDatabaseId body url viewerDidAuthor }
          }
        }
      }
    }
  }
}`;

/** The comments of one thread after those that come with it. */
const repliesQuery = `query ($thread: ID!, $after: String) {
  node(id: $thread) {
    ... on PullRequestReviewThread {
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId body url viewerDidAuthor }
      }
    }
  }
}`;

const commentsQuery = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { fullDatabaseId body url viewerDidAuthor }
      }
    }
  }
}`;

const changeThread = (field: 'resolveReviewThread' | 'unresolveReviewThread'): string =>
  `mutation ($id: ID!) { ${field}(input: { threadId: $id }) { thread { id isResolved } } }`;

const mostPages = 50;

export function createGithubRounds(options: GithubRoundOptions): RoundHost {
  const { forge, client, api, name, marks } = options;
  const [owner = '', repository = ''] = name.repository.split('/');
  const place = { owner, name: repository, number: name.number };
  const root = `repos/${name.repository}`;
  const pull = `${root}/pulls/${name.number}`;
  const created = z.looseObject({ html_url: z.string() });

  async function write(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<void> {
    await client.send(changeOnGithub(method, path, body));
  }

  async function pagesOf<Data>(
    query: string,
    schema: z.ZodType<Data>,
    pageOf: (data: Data) => z.infer<typeof pageInfo>,
    { of = place, from = null }: PagesFrom = {},
  ): Promise<readonly Data[]> {
    const pages: Data[] = [];
    let after = from;
    for (;;) {
      if (pages.length === mostPages) throw tooManyItems('github', pull);
      const data: Data = await askGraphql(client, api, { query, schema, variables: { ...of, after } });
      pages.push(data);
      const info = pageOf(data);
      if (!info.hasNextPage) return pages;
      after = cursorOf(info);
    }
  }

  /** Without a cursor, the list would be read from its beginning again. */
  function cursorOf({ endCursor }: z.infer<typeof pageInfo>): string {
    if (typeof endCursor !== 'string') throw unreadableAnswer('github', pull);
    return endCursor;
  }

  /** Returns the thread with all of its comments, if it is ours: our reply may be behind many others. */
  async function wholeThread(thread: Thread): Promise<Thread> {
    const { pageInfo: first, nodes } = thread.comments;
    if (!first.hasNextPage || !isOurs(thread, marks)) return thread;
    const pages = await pagesOf(repliesQuery, repliesSchema, (data) => data.node.comments.pageInfo, {
      of: { thread: thread.id },
      from: cursorOf(first),
    });
    const more = pages.flatMap((page) => page.node.comments.nodes);
    return { ...thread, comments: { ...thread.comments, nodes: [...nodes, ...more] } };
  }

  return {
    ...forge,
    waits: client.waits,
    async readRound() {
      const threads = await pagesOf(
        threadsQuery,
        threadsSchema,
        (data) => data.repository.pullRequest.reviewThreads.pageInfo,
      );
      const comments = await pagesOf(
        commentsQuery,
        commentsSchema,
        (data) => data.repository.pullRequest.comments.pageInfo,
      );
      const whole: Thread[] = [];
      for (const thread of threads.flatMap((page) => page.repository.pullRequest.reviewThreads.nodes))
        whole.push(await wholeThread(thread));
      const said = comments
        .flatMap((page) => page.repository.pullRequest.comments.nodes)
        .filter((one) => one.viewerDidAuthor);
      const bodies = said.map(({ body }) => body);
      return {
        // The last page has the latest head: a push in between must be noticed.
        head: threads.at(-1)?.repository.pullRequest.headRefOid ?? '',
        threads: whole.flatMap((thread) => ownThread(thread, marks)),
        summaries: said
          .filter(({ body }) => body.split(/\r?\n/, 1)[0]?.trim() === summaryMark)
          .map(({ fullDatabaseId: id, body, url }) => ({ id, body, url })),
        dismissed: dismissalsIn(bodies, marks),
        answered: answeredIn([...bodies, ...whole.flatMap(ownBodies)], marks),
      };
    },
    suggestionOf: () => 'suggestion',
    async postReview({ head, body, comments }) {
      const written = comments.map(commentFields);
      await write('POST', `${pull}/reviews`, { commit_id: head, event: 'COMMENT', body, comments: written });
    },
    async postComment(head, comment) {
      await write('POST', `${pull}/comments`, { commit_id: head, ...commentFields(comment) });
    },
    async resolve({ id }) {
      await changeState('resolveReviewThread', id);
    },
    async reopen({ id }) {
      await changeState('unresolveReviewThread', id);
    },
    async reply({ commentId }, body) {
      await write('POST', `${pull}/comments/${commentId}/replies`, { body });
    },
    async putSummary(former, body) {
      const request =
        former === null
          ? changeOnGithub('POST', `${root}/issues/${name.number}/comments`, { body })
          : changeOnGithub('PATCH', `${root}/issues/comments/${former.id}`, { body });
      return (await client.read(request, created)).html_url;
    },
    async removeSummary({ id }: SummaryOnHost) {
      await write('DELETE', `${root}/issues/comments/${id}`);
    },
    putEvidence: (evidence) => putGithubEvidence({ client, name }, evidence),
  };

  async function changeState(field: Parameters<typeof changeThread>[0], id: string): Promise<void> {
    const schema = z.looseObject({});
    await askGraphql(client, api, { query: changeThread(field), variables: { id }, schema });
  }
}

interface PagesFrom {
  /** The variables of the query. */
  readonly of?: Readonly<Record<string, unknown>>;
  readonly from?: string | null;
}

function commentFields({ place: { path, lines }, body }: RoundComment): Readonly<Record<string, unknown>> {
  if (lines === null) return { path, body, subject_type: 'file' };
  const side = lines.side === 'new' ? 'RIGHT' : 'LEFT';
  const start = lines.start < lines.end ? { start_line: lines.start, start_side: side } : {};
  return { path, body, line: lines.end, side, ...start };
}

function isOurs({ comments: { nodes } }: Thread, marks: Marks): boolean {
  const [first] = nodes;
  return first?.viewerDidAuthor === true && marks.read(findingMark, first.body) !== null;
}

/** Returns nothing for a thread that others began. */
function ownThread({ id, isResolved, comments }: Thread, marks: Marks): readonly OwnThread[] {
  const [first, ...replies] = comments.nodes;
  const finding = first?.viewerDidAuthor === true ? marks.read(findingMark, first.body) : null;
  if (first === undefined || finding === null) return [];
  const own = replies.filter(({ viewerDidAuthor }) => viewerDidAuthor).map(({ body }) => body);
  const place = { id, commentId: first.fullDatabaseId, url: first.url, body: first.body };
  return [{ ...place, finding, isResolved, ...readOwnReplies(own, marks) }];
}

function ownBodies({ comments: { nodes } }: Thread): readonly string[] {
  return nodes.filter(({ viewerDidAuthor }) => viewerDidAuthor).map(({ body }) => body);
}
