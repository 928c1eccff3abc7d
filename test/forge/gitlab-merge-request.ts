/** A GitLab on loopback with one merge request, shop/till!7: its discussions, notes and statuses, and what a token may do. */
import { z } from 'zod';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import type { GitFile } from './github-git.ts';
import type { PullWords } from './github-pull.ts';
import { createGitlabGit, type GitlabBranch } from './gitlab-git.ts';
import {
  notFound,
  startForgeServer,
  type Fault,
  type ForgeServer,
  type ForgeServerAnswer,
  type ForgeServerRequest,
} from './forge-server.ts';

export interface GitlabMergeRequestOptions {
  readonly head: string;
  readonly diff: string;
  readonly mayResolve?: boolean;
  readonly faults?: readonly Fault[];
  /** Access levels of people, by id. */
  readonly levels?: Readonly<Record<number, number>>;
  /** Default: 2 discussions, and 2 entries of a folder. */
  readonly pageSize?: number;
  readonly fork?: boolean;
  /** Foreign words of the merge request; GitLab names its fork by a number. */
  readonly words?: Omit<PullWords, 'fork'>;
  /** The text files, links and modules of each commit. */
  readonly files?: Readonly<Record<string, GitFile>>;
  /** True: the token is that of a job, which GitLab refuses for all of this. */
  readonly isJobToken?: boolean;
  /** Called before the answer to each request; the request has had its effect. */
  readonly onRequest?: (count: number) => void;
  /** Called before a request has its effect; if it returns false, there is none. */
  readonly beforeRequest?: (count: number) => boolean;
}

export interface GitlabDiscussion {
  readonly id: string;
  readonly place: string | null;
  isResolved: boolean;
  readonly notes: { readonly id: number; readonly author: number; body: string }[];
}

export interface GitlabMergeRequest extends ForgeServer {
  readonly env: Readonly<Record<string, string>>;
  readonly discussions: () => readonly GitlabDiscussion[];
  readonly statuses: () => readonly unknown[];
  readonly branches: () => readonly GitlabBranch[];
  /** A person writes; returns the id of the note. */
  readonly say: (body: string, author: number) => number;
  readonly push: (next: { readonly head: string; readonly diff: string }) => void;
}

const own = 5;
const base = '1'.repeat(40);
const root = '/api/v4/projects/shop%2Ftill';

const positionSchema = z.strictObject({
  position_type: z.enum(['text', 'file']),
  base_sha: z.string(),
  start_sha: z.string(),
  head_sha: z.string(),
  new_path: z.string(),
  old_path: z.string(),
  new_line: z.int().optional(),
  old_line: z.int().optional(),
});
const discussionBody = z.strictObject({ body: z.string(), position: positionSchema });
const noteBody = z.strictObject({ body: z.string() });
const resolvedBody = z.strictObject({ resolved: z.boolean() });

export async function startGitlabMergeRequest(
  options: GitlabMergeRequestOptions,
): Promise<GitlabMergeRequest> {
  const { mayResolve = true, faults = [], pageSize = 2 } = options;
  const { onRequest = () => undefined, beforeRequest = () => true } = options;
  let { head, diff } = options;
  let lastId = 100;
  const discussions: GitlabDiscussion[] = [];
  const statuses: unknown[] = [];
  let count = 0;
  const git = createGitlabGit(options.files ?? {});
  const server = await startForgeServer({
    faults,
    answer(request) {
      count += 1;
      const given = beforeRequest(count) ? answer(request) : notFound;
      onRequest(count);
      return given;
    },
  });
  return {
    ...server,
    env: { GITLAB_HOST: server.url, GITLAB_TOKEN: 'token-of-a-test' },
    discussions: () => discussions,
    statuses: () => statuses,
    branches: () => git.branches,
    say: (body, author) => add(body, null, author).id,
    push(next) {
      ({ head, diff } = next);
    },
  };

  function answer({ method, path, query, body }: ForgeServerRequest): ForgeServerAnswer {
    const route = `${method} ${path.startsWith(root) ? path.slice(root.length) : path}`;
    if (options.isJobToken === true) return { status: 401, body: { message: '401 Unauthorized' } };
    const ofGit = git.answer(route, query, body);
    if (ofGit !== null) return inPages(ofGit, path, query);
    if (route === 'GET /api/v4/user') return { status: 200, body: { id: own } };
    if (route === 'GET /merge_requests/7') return { status: 200, body: mergeRequest() };
    if (route === 'GET /merge_requests/7/raw_diffs') return { status: 200, body: diff };
    if (route === 'GET /merge_requests/7/discussions')
      return inPages({ status: 200, body: discussions.map(shownDiscussion) }, path, query);
    if (route === 'POST /merge_requests/7/discussions') return discuss(discussionBody.parse(body));
    if (route === 'POST /merge_requests/7/notes')
      return { status: 201, body: add(noteBody.parse(body).body, null) };
    if (route === `POST /statuses/${head}`) {
      statuses.push(body);
      return { status: 201, body: {} };
    }
    return ofOneThing(route, body);
  }

  function ofOneThing(route: string, body: unknown): ForgeServerAnswer {
    const [, what, person] = /^GET (\/members\/all|\/api\/v4\/users)\/(\d+)$/.exec(route) ?? [];
    if (person !== undefined)
      return what === '/members/all' ? memberOf(Number(person)) : userOf(Number(person));
    const [, note] = /^GET \/merge_requests\/7\/notes\/(\d+)$/.exec(route) ?? [];
    if (note !== undefined) return readNote(Number(note));
    const [, method, kind, id, isReply] =
      /^(\w+) \/merge_requests\/7\/(notes|discussions)\/(\w+)(\/notes)?$/.exec(route) ?? [];
    const at = discussions.findIndex((one) => (kind === 'notes' ? String(one.notes[0]?.id) : one.id) === id);
    const found = discussions[at];
    const first = found?.notes[0];
    if (found === undefined || first === undefined) return notFound;
    if (kind === 'discussions' && isReply !== undefined) {
      found.notes.push({ id: ++lastId, author: own, body: noteBody.parse(body).body });
      return { status: 201, body: { id: lastId } };
    }
    if (kind === 'discussions') {
      if (!mayResolve) return { status: 403, body: { message: '403 Forbidden' } };
      found.isResolved = resolvedBody.parse(body).resolved;
      return { status: 200, body: {} };
    }
    if (method === 'DELETE') discussions.splice(at, 1);
    else first.body = noteBody.parse(body).body;
    return method === 'DELETE' ? { status: 204, body: '' } : { status: 200, body: { id: first.id } };
  }

  function memberOf(id: number): ForgeServerAnswer {
    const level = options.levels?.[id];
    return level === undefined
      ? notFound
      : { status: 200, body: { id, access_level: level, state: 'active' } };
  }

  function readNote(id: number): ForgeServerAnswer {
    const found = discussions.flatMap(({ notes }) => notes).find((one) => one.id === id);
    if (found === undefined) return notFound;
    const author = { id: found.author, username: `user-${found.author}` };
    return { status: 200, body: { id, body: found.body, author, system: false } };
  }

  /** GitLab accepts an added line by its new number alone, a removed one by its old one, a context line by both. */
  function discuss({ body, position }: z.infer<typeof discussionBody>): ForgeServerAnswer {
    const { new_path: path, new_line: newLine = null, old_line: oldLine = null } = position;
    const file = parseUnifiedDiff(diff).files.find((one) => one.path === path);
    const isOnALine = file?.hunks.some(({ lines }) =>
      lines.some((line) => line.newLine === newLine && line.oldLine === oldLine),
    );
    const isAccepted = position.position_type === 'file' ? file !== undefined : isOnALine === true;
    if (position.head_sha !== head || !isAccepted)
      return { status: 400, body: { message: '400 Bad request' } };
    return { status: 201, body: add(body, `${path}:${newLine ?? oldLine ?? 'file'}`) };
  }

  function add(body: string, place: string | null, author = own): { readonly id: number } {
    const id = ++lastId;
    discussions.push({ id: `d${id}`, place, isResolved: false, notes: [{ id, author, body }] });
    return { id };
  }

  /** Lists are cut into pages, with the address of the next one. */
  function inPages(whole: ForgeServerAnswer, path: string, query: URLSearchParams): ForgeServerAnswer {
    if (!Array.isArray(whole.body)) return whole;
    const page = Number(query.get('page') ?? 1);
    const items: readonly unknown[] = whole.body;
    const next = new URLSearchParams(query);
    next.set('page', String(page + 1));
    const body = items.slice((page - 1) * pageSize, page * pageSize);
    const link = `<${server.url}${path}?${next}>; rel="next"`;
    return { ...whole, body, headers: page * pageSize >= items.length ? {} : { link } };
  }

  function mergeRequest() {
    const { title = 'Add a till', body = null, branch = 'topic' } = options.words ?? {};
    return {
      iid: 7,
      title,
      description: body,
      source_branch: branch,
      draft: false,
      state: 'opened',
      source_project_id: options.fork === true ? 2 : 1,
      target_project_id: 1,
      web_url: `${server.url}/shop/till/-/merge_requests/7`,
      sha: head,
      diff_refs: { base_sha: base, head_sha: head, start_sha: base },
    };
  }
}

function shownDiscussion({ id, isResolved, notes }: GitlabDiscussion) {
  return {
    id,
    notes: notes.map((note) => ({
      id: note.id,
      body: note.body,
      author: { id: note.author },
      resolved: isResolved,
    })),
  };
}

/** Ids from 900 on are bots. */
function userOf(id: number): ForgeServerAnswer {
  return { status: 200, body: { id, username: `user-${id}`, bot: id >= 900 } };
}
