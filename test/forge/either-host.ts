/** Both loopback hosts in one form, for tests of commands in comments: a person with write access writes them. */
import type { Fault, ForgeServer } from './forge-server.ts';
import type { GitFile } from './github-git.ts';
import { startGithubPull, type PullWords } from './github-pull.ts';
import { startGitlabMergeRequest } from './gitlab-merge-request.ts';

export interface EitherHostOptions {
  readonly head: string;
  readonly diff: string;
  /** Files of the head, by path. */
  readonly files?: Readonly<Record<string, GitFile>>;
  readonly faults?: readonly Fault[];
  readonly fork?: boolean;
  readonly words?: PullWords;
  readonly onRequest?: () => void;
  readonly beforeRequest?: () => boolean;
}

export interface EitherHost extends ForgeServer {
  readonly env: Readonly<Record<string, string>>;
  /** The page of the pull request. */
  readonly address: string;
  /** Returns the words that name the new comment. */
  readonly say: (body: string) => string;
  /** The threads on lines: true if resolved, and the texts. */
  readonly threads: () => readonly (readonly [boolean, readonly string[]])[];
  /** Our comments in the conversation. */
  readonly comments: () => readonly string[];
  /** The names of the branches that were made. */
  readonly branches: () => readonly string[];
  /** The check runs, or the commit statuses. */
  readonly evidence: () => readonly unknown[];
}

/** No page of a list is full. */
const pageSize = 100;
const person = { name: 'anna', id: 11 };

export const eitherHost = {
  async github(options: EitherHostOptions): Promise<EitherHost> {
    const pull = await startGithubPull({ pageSize, ...options });
    return {
      ...pull,
      address: `${pull.url}/shop/till/pull/7`,
      say: (body) => `issuecomment-${pull.say(body, person.name)}`,
      threads: () =>
        pull.threads().map(({ isResolved, comments }) => [isResolved, comments.map(({ body }) => body)]),
      comments: () => pull.comments().flatMap(({ author, body }) => (author === person.name ? [] : [body])),
      branches: () => pull.branches().map(({ name }) => name),
      evidence: pull.checks,
    };
  },
  async gitlab(options: EitherHostOptions): Promise<EitherHost> {
    const world = await startGitlabMergeRequest({ pageSize, levels: { [person.id]: 30 }, ...options });
    const discussions = (isOnLine: boolean) =>
      world.discussions().filter(({ place }) => (place !== null) === isOnLine);
    return {
      ...world,
      address: `${world.url}/shop/till/-/merge_requests/7`,
      say: (body) => `note_${world.say(body, person.id)}`,
      threads: () =>
        discussions(true).map(({ isResolved, notes }) => [isResolved, notes.map(({ body }) => body)]),
      comments: () =>
        discussions(false).flatMap(({ notes: [first] }) =>
          first === undefined || first.author === person.id ? [] : [first.body],
        ),
      branches: () => world.branches().map(({ name }) => name),
      evidence: world.statuses,
    };
  },
} as const;
