/** A round on a pull request of GitHub. Only GraphQL shows whether a thread is resolved; writes are REST where REST can. */
import { z } from 'zod';
import { summaryMark } from '../../views/rounds/summary-body.ts';
import type { Forge } from '../contract.ts';
import {
  tooManyItems,
  unreadableAnswer,
  type ForgeRequest,
  type PullRequestClient,
} from '../forge-client.ts';
import { ForgeError } from '../forge-error.ts';
import { findingMark, type Marks } from '../round/marks.ts';
import { answeredIn, dismissalsIn, readOwnReplies } from '../round/own-replies.ts';
import type { OwnThread } from '../round/plan-round.ts';
import type { RoundComment, RoundEvidence, RoundHost, SummaryOnHost } from '../round/round-host.ts';
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
const checkName = 'collab';
/** GitHub refuses longer descriptions of a commit status. */
const longestDescription = 140;

export function createGithubRounds(options: GithubRoundOptions): RoundHost {
  const { forge, client, api, name, marks } = options;
  const [owner = '', repository = ''] = name.repository.split('/');
  const place = { owner, name: repository, number: name.number };
  const root = `repos/${name.repository}`;
  const pull = `${root}/pulls/${name.number}`;
  const created = z.looseObject({ html_url: z.string() });

  async function write(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<void> {
    await client.send(changing(method, path, body));
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
          ? changing('POST', `${root}/issues/${name.number}/comments`, { body })
          : changing('PATCH', `${root}/issues/comments/${former.id}`, { body });
      return (await client.read(request, created)).html_url;
    },
    async removeSummary({ id }: SummaryOnHost) {
      await write('DELETE', `${root}/issues/comments/${id}`);
    },
    async putEvidence(evidence) {
      if (await succeeds(() => putCheckRun(evidence))) return 'check run';
      return (await succeeds(() => putStatus(evidence))) ? 'commit status' : null;
    },
  };

  async function changeState(field: Parameters<typeof changeThread>[0], id: string): Promise<void> {
    const schema = z.looseObject({});
    await askGraphql(client, api, { query: changeThread(field), variables: { id }, schema });
  }

  /** The check run of the same result is written again, not once more. */
  async function putCheckRun({ head, isPassed, title, text, digest, url }: RoundEvidence): Promise<void> {
    const fields = {
      name: checkName,
      external_id: digest,
      status: 'completed',
      conclusion: isPassed ? 'success' : 'failure',
      output: { title: title.slice(0, 255), summary: text },
      ...(url === null ? {} : { details_url: url }),
    };
    const path = `${root}/commits/${head}/check-runs?check_name=${checkName}&per_page=100`;
    const found = await client.read({ path }, checkRunsSchema);
    const former = found.check_runs.find(({ external_id: id }) => id === digest);
    if (former === undefined) await write('POST', `${root}/check-runs`, { ...fields, head_sha: head });
    else await write('PATCH', `${root}/check-runs/${former.id}`, fields);
  }

  async function putStatus({ head, isPassed, title, digest, url }: RoundEvidence): Promise<void> {
    const proof = ` (${digest.slice(0, 12)})`;
    await write('POST', `${root}/statuses/${head}`, {
      context: checkName,
      state: isPassed ? 'success' : 'failure',
      description: `${title.slice(0, longestDescription - proof.length)}${proof}`,
      ...(url === null ? {} : { target_url: url }),
    });
  }
}

interface PagesFrom {
  /** The variables of the query. */
  readonly of?: Readonly<Record<string, unknown>>;
  readonly from?: string | null;
}

const checkRunsSchema = z.looseObject({
  check_runs: z.array(z.looseObject({ id: z.int(), external_id: z.string().nullish() })),
});

function changing(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): ForgeRequest {
  const accept = 'application/vnd.github+json';
  return { method, path, accept, ...(body === undefined ? {} : { body }) };
}

/** Returns false if the login has no right to it. */
async function succeeds(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof ForgeError && (error.code === 'auth' || error.status === 404)) return false;
    throw error;
  }
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
