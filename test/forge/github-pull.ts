/** A GitHub on loopback with one pull request, shop/till#7: its threads, comments, checks and statuses, and what a token may do. */
import { z } from 'zod';
import { placeComment } from '../../src/forge/round/comment-place.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { finding } from '../fixtures/reports/sample-report.ts';
import { checkGithub } from './check-github.ts';
import { createGithubGit, type GitFile, type MadeBranch } from './github-git.ts';
import { answerLists, pageOf, type ListedPull } from './github-lists.ts';
import {
  checkRunOf,
  commentAddress,
  issueCommentOf,
  pullRequestOf,
  reviewCommentOf,
  reviewOf,
  statusOf,
  userOf,
} from './github-objects.ts';
import {
  notFound,
  startForgeServer,
  unprocessable,
  type Fault,
  type ForgeServer,
  type ForgeServerAnswer,
  type ForgeServerRequest,
} from './forge-server.ts';

export interface TokenRights {
  readonly resolve: boolean;
  readonly checks: boolean;
  readonly statuses: boolean;
}

export interface GithubPullOptions {
  readonly head: string;
  /** Default: a commit that is nowhere. */
  readonly base?: string;
  readonly diff: string;
  readonly draft?: boolean;
  readonly rights?: Partial<TokenRights>;
  readonly faults?: readonly Fault[];
  /** Items of a page of GraphQL. Default: 2. */
  readonly pageSize?: number;
  readonly fork?: boolean;
  /** Foreign words of the pull request. */
  readonly words?: PullWords;
  /** The pull requests of the repository, in the place of 7. */
  readonly listed?: readonly ListedPull[];
  /** The login of the token. */
  readonly login?: string;
  /** Files of the head, by path. */
  readonly files?: Readonly<Record<string, GitFile>>;
  /** The permissions of people, by login. Default: `write` for everybody. */
  readonly permissions?: Readonly<Record<string, string>>;
  /** Called before the answer to each request; the request has had its effect. */
  readonly onRequest?: (count: number) => void;
  /** Called before a request has its effect; if it returns false, there is none. */
  readonly beforeRequest?: (count: number) => boolean;
}

export interface PullWords {
  readonly title: string;
  readonly body: string;
  /** The branch of its head. */
  readonly branch: string;
  /** The owner and the name of the fork, if it is from one. */
  readonly fork: string;
}

export interface PullComment {
  readonly id: number;
  readonly author: string;
  body: string;
}

export interface PullThread {
  readonly id: string;
  readonly path: string;
  /** Null: the comment is about the file. */
  readonly line: number | null;
  readonly startLine: number | null;
  readonly commit: string;
  isResolved: boolean;
  readonly comments: PullComment[];
}

export interface GithubPull extends ForgeServer {
  readonly env: Readonly<Record<string, string>>;
  readonly threads: () => readonly PullThread[];
  /** Comments of the conversation, of all authors. */
  readonly comments: () => readonly PullComment[];
  readonly reviews: () => readonly string[];
  readonly checks: () => readonly CheckRun[];
  readonly statuses: () => readonly CommitStatus[];
  readonly branches: () => readonly MadeBranch[];
  /** Method, path and body of each request. */
  readonly calls: () => readonly ForgeServerRequest[];
  readonly push: (next: { readonly head: string; readonly diff: string }) => void;
  /** A person writes, in the conversation or in a thread. Returns the id of the comment. */
  readonly say: (body: string, author?: string, thread?: PullThread) => number;
}

type CheckRun = ReturnType<typeof checkRunOf>;
type CommitStatus = ReturnType<typeof statusOf>;

const api = '/api/v3/repos/shop/till';
/** Comments that come with their thread. */
const threadPageSize = 50;

const inlineComment = z.strictObject({
  path: z.string(),
  body: z.string().min(1).max(65_536),
  line: z.int().positive().optional(),
  side: z.enum(['LEFT', 'RIGHT']).optional(),
  start_line: z.int().positive().optional(),
  start_side: z.enum(['LEFT', 'RIGHT']).optional(),
});
type InlineComment = z.infer<typeof inlineComment>;
const reviewBody = z.strictObject({
  commit_id: z.string(),
  event: z.literal('COMMENT'),
  body: z.string().min(1),
  comments: z.array(inlineComment),
});
const commentBody = inlineComment.extend({
  commit_id: z.string(),
  subject_type: z.enum(['line', 'file']).optional(),
});
const textBody = z.strictObject({ body: z.string().min(1).max(65_536) });
const graphqlBody = z.strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()) });
const checkBody = z.strictObject({
  name: z.string(),
  head_sha: z.string(),
  external_id: z.string(),
  status: z.string(),
  conclusion: z.string(),
  output: z.strictObject({ title: z.string(), summary: z.string() }),
  details_url: z.string().optional(),
});
const checkUpdate = checkBody.omit({ head_sha: true });
const statusBody = z.strictObject({
  context: z.string(),
  state: z.string(),
  description: z.string().max(140),
  target_url: z.string().optional(),
});

export async function startGithubPull(options: GithubPullOptions): Promise<GithubPull> {
  const { rights = {}, faults = [], pageSize = 2, login: own = 'collab-bot' } = options;
  const { onRequest = () => undefined, beforeRequest = () => true } = options;
  const may: TokenRights = { resolve: true, checks: true, statuses: true, ...rights };
  let { head, diff } = options;
  let lastId = 100;
  const threads: PullThread[] = [];
  const comments: PullComment[] = [];
  const reviews: string[] = [];
  const checks: CheckRun[] = [];
  const statuses: CommitStatus[] = [];
  const calls: ForgeServerRequest[] = [];
  const git = createGithubGit(options.files ?? {});
  const newComment = (body: string, author = own): PullComment => ({ id: ++lastId, author, body });
  const server = await startForgeServer({
    check: checkGithub,
    faults,
    answer(request) {
      calls.push(request);
      const given = beforeRequest(calls.length) ? answer(request) : notFound;
      onRequest(calls.length);
      return given;
    },
  });
  return {
    ...server,
    env: { GITHUB_SERVER_URL: server.url, GITHUB_TOKEN: 'token-of-a-test' },
    threads: () => threads,
    comments: () => comments,
    reviews: () => reviews,
    checks: () => checks,
    statuses: () => statuses,
    branches: git.branches,
    calls: () => calls,
    push(next) {
      ({ head, diff } = next);
    },
    say(body, author = 'a-person', thread) {
      const said = newComment(body, author);
      (thread?.comments ?? comments).push(said);
      return said.id;
    },
  };

  function answer({ method, path, query, headers, body }: ForgeServerRequest): ForgeServerAnswer {
    const route = `${method} ${path.startsWith(api) ? path.slice(api.length) : path}`;
    if (route === 'GET /pulls/7' && options.listed === undefined)
      return headers.accept === 'application/vnd.github.diff'
        ? { status: 200, body: diff }
        : { status: 200, body: pullOf() };
    if (route === 'POST /api/graphql') return graphql(graphqlBody.parse(body));
    if (route === 'POST /pulls/7/reviews') return postReview(reviewBody.parse(body));
    if (route === 'POST /pulls/7/comments') return postComment(commentBody.parse(body));
    if (route === 'POST /issues/7/comments') {
      const made = newComment(textBody.parse(body).body);
      comments.push(made);
      return { status: 201, body: issueCommentOf(made) };
    }
    if (route === `GET /commits/${head}/check-runs`)
      return may.checks ? { status: 200, body: checksOf(head, query) } : forbidden;
    if (route === 'POST /check-runs') {
      if (!may.checks) return forbidden;
      const made = checkRunOf({ ...checkBody.parse(body), id: ++lastId });
      checks.push(made);
      return { status: 201, body: made };
    }
    if (route === `POST /statuses/${head}`) {
      if (!may.statuses) return forbidden;
      const made = statusOf(++lastId, statusBody.parse(body));
      statuses.push(made);
      return { status: 201, body: made };
    }
    const listed = answerLists(route, query, { pulls: options.listed ?? [], comments });
    return listed ?? git.answer(route, body) ?? ofOneThing(route, body);
  }

  function ofOneThing(route: string, body: unknown): ForgeServerAnswer {
    const [, login] = /^GET \/collaborators\/([^/]+)\/permission$/.exec(route) ?? [];
    if (login !== undefined) return permissionOf(decodeURIComponent(login));
    const [, place = '', read] = /^GET \/(issues|pulls)\/comments\/(\d+)$/.exec(route) ?? [];
    if (read !== undefined) return readComment(place, Number(read));
    const [, method = '', kind = '', id = ''] =
      /^(\w+) \/(issues\/comments|pulls\/7\/comments|check-runs)\/(\d+)(?:\/replies)?$/.exec(route) ?? [];
    if (kind === 'issues/comments') {
      const at = comments.findIndex((one) => one.id === Number(id) && one.author === own);
      const found = comments[at];
      if (found === undefined) return notFound;
      if (method === 'DELETE') {
        comments.splice(at, 1);
        return { status: 204, body: '' };
      }
      found.body = textBody.parse(body).body;
      return { status: 200, body: issueCommentOf(found) };
    }
    if (kind === 'check-runs') {
      const at = checks.findIndex((one) => one.id === Number(id));
      const former = checks[at];
      if (former === undefined) return notFound;
      const { id: same, head_sha: commit } = former;
      const made = checkRunOf({ ...checkUpdate.parse(body), id: same, head_sha: commit });
      checks[at] = made;
      return { status: 200, body: made };
    }
    const thread = threads.find(({ comments: [first] }) => first?.id === Number(id));
    if (kind !== 'pulls/7/comments' || thread === undefined) return notFound;
    const made = newComment(textBody.parse(body).body);
    thread.comments.push(made);
    return { status: 201, body: reviewCommentOf({ ...made, path: thread.path, commit: thread.commit }) };
  }

  function checksOf(commit: string, query: URLSearchParams) {
    const found = checks.filter(({ head_sha: of }) => of === commit);
    return { total_count: found.length, check_runs: pageOf(found, query) };
  }

  function permissionOf(login: string): ForgeServerAnswer {
    const permission = options.permissions === undefined ? 'write' : options.permissions[login];
    return permission === undefined
      ? notFound
      : {
          status: 200,
          body: { permission, role_name: permission, user: { ...userOf(login), role_name: permission } },
        };
  }

  function readComment(place: string, id: number): ForgeServerAnswer {
    const inConversation = comments.find((one) => one.id === id);
    const thread = threads.find((one) => one.comments.some((comment) => comment.id === id));
    const onLine = thread?.comments.find((one) => one.id === id);
    if (place === 'issues')
      return inConversation === undefined ? notFound : { status: 200, body: issueCommentOf(inConversation) };
    if (thread === undefined || onLine === undefined) return notFound;
    return { status: 200, body: reviewCommentOf({ ...onLine, path: thread.path, commit: thread.commit }) };
  }

  function postReview({
    commit_id: commit,
    body,
    comments: written,
  }: z.infer<typeof reviewBody>): ForgeServerAnswer {
    if (commit !== head || !written.every(isOnALine)) return invalid;
    reviews.push(body);
    for (const one of written) addThread(one, commit);
    return { status: 200, body: reviewOf(++lastId, { body, commit }) };
  }

  function postComment({
    commit_id: commit,
    subject_type: subject,
    ...one
  }: z.infer<typeof commentBody>): ForgeServerAnswer {
    const isAccepted = subject === 'file' ? filePaths().includes(one.path) : isOnALine(one);
    if (commit !== head || !isAccepted) return invalid;
    return { status: 201, body: reviewCommentOf({ ...addThread(one, commit), path: one.path, commit }) };
  }

  function addThread({ path, line, start_line: start, body }: InlineComment, commit: string): PullComment {
    const first = newComment(body);
    const place = { path, line: line ?? null, startLine: start ?? null, commit };
    threads.push({ id: `PRRT_${first.id}`, ...place, isResolved: false, comments: [first] });
    return first;
  }

  function filePaths(): readonly string[] {
    return parseUnifiedDiff(diff).files.map(({ path }) => path);
  }

  /** GitHub accepts lines of one hunk. */
  function isOnALine({ path, line, side, start_line: start }: InlineComment): boolean {
    if (line === undefined || (start !== undefined && start >= line)) return false;
    const place = {
      path,
      start_line: start ?? line,
      end_line: line,
      side: side === 'LEFT' ? 'old' : 'new',
    } as const;
    const found = placeComment(finding(place), parseUnifiedDiff(diff).files)?.lines;
    return found?.start === (start ?? line) && found.end === line;
  }

  function graphql({ query, variables }: z.infer<typeof graphqlBody>): ForgeServerAnswer {
    const change = /(un)?resolveReviewThread/.exec(query);
    if (change !== null) {
      const thread = threads.find(({ id }) => id === variables['id']);
      if (!may.resolve || thread === undefined)
        return graphqlError('FORBIDDEN', 'Resource not accessible by integration');
      thread.isResolved = change[1] === undefined;
      const field = `${change[1] ?? ''}resolveReviewThread`;
      const shown = { id: thread.id, isResolved: thread.isResolved };
      return { status: 200, body: { data: { [field]: { thread: shown } } } };
    }
    const from = Number(variables['after'] ?? 0);
    const page = <Item>(items: readonly Item[], nodeOf: (item: Item) => unknown) => ({
      pageInfo: { hasNextPage: from + pageSize < items.length, endCursor: String(from + pageSize) },
      nodes: items.slice(from, from + pageSize).map(nodeOf),
    });
    const ofThread = threads.find(({ id }) => id === variables['thread']);
    if (ofThread !== undefined)
      return { status: 200, body: { data: { node: { comments: page(ofThread.comments, commentNode) } } } };
    const pullRequest = query.includes('reviewThreads')
      ? { headRefOid: head, reviewThreads: page(threads, threadNode) }
      : { comments: page(comments, commentNode) };
    return { status: 200, body: { data: { repository: { pullRequest } } } };
  }

  function threadNode({ id, isResolved, comments: inThread }: PullThread) {
    const pageInfo = { hasNextPage: inThread.length > threadPageSize, endCursor: String(threadPageSize) };
    const nodes = inThread.slice(0, threadPageSize).map(commentNode);
    return { id, isResolved, comments: { pageInfo, nodes } };
  }

  function commentNode({ id, body, author }: PullComment) {
    return { fullDatabaseId: String(id), body, url: commentAddress(id), viewerDidAuthor: author === own };
  }

  function pullOf() {
    const {
      title = 'Add a till',
      body = null,
      branch = 'topic',
      fork = 'stranger/till',
    } = options.words ?? {};
    return pullRequestOf({
      number: 7,
      title,
      body,
      branch,
      draft: options.draft ?? false,
      base: options.base ?? '1'.repeat(40),
      head,
      fork: options.fork === true ? fork : undefined,
    });
  }
}

function graphqlError(type: string, message: string): ForgeServerAnswer {
  return { status: 200, body: { data: null, errors: [{ type, message }] } };
}

const forbidden: ForgeServerAnswer = {
  status: 403,
  body: { message: 'Resource not accessible by integration' },
};
const invalid = unprocessable('Validation Failed');
