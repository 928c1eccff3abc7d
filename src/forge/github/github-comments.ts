/** Commands in comments of GitHub: reads the comment and the permission of its author from the API, not from an event. */
import { z } from 'zod';
import type { CommentHost } from '../commands/comment-host.ts';
import type { PullRequestClient } from '../forge-client.ts';
import { nullIfMissing } from '../forge-error.ts';
import type { RoundHost } from '../round/round-host.ts';
import { createGithubBranches } from './github-branches.ts';

const commentSchema = z.looseObject({
  body: z.string().nullish(),
  user: z.looseObject({ login: z.string(), type: z.string().nullish() }).nullish(),
  /** The address of the pull request in the API: of a comment in the conversation, or on a line. */
  issue_url: z.string().nullish(),
  pull_request_url: z.string().nullish(),
  performed_via_github_app: z.unknown().optional(),
});
/** `maintain` is `write` here, `triage` is `read`; a role of an organization is the one that it is based on. */
const permissionSchema = z.looseObject({ permission: z.string() });
const writing: readonly string[] = ['admin', 'maintain', 'write'];

export function createGithubComments(rounds: RoundHost, { client, name }: PullRequestClient): CommentHost {
  const root = `repos/${name.repository}`;

  const read = <Content>(path: string, schema: z.ZodType<Content>): Promise<Content | null> =>
    nullIfMissing(client.read({ path, accept: 'application/vnd.github+json' }, schema));

  return {
    ...rounds,
    branches: createGithubBranches({ client, name }),
    async readComment({ kind, id }) {
      const shelf = kind === 'line' ? 'pulls' : 'issues';
      const found = await read(`${root}/${shelf}/comments/${id}`, commentSchema);
      const place = (kind === 'line' ? found?.pull_request_url : found?.issue_url) ?? '';
      const { user } = found ?? {};
      if (!place.endsWith(`/${shelf}/${name.number}`) || user === null || user === undefined) return null;
      const isByApp = (found?.performed_via_github_app ?? null) !== null;
      const isBot = user.type === 'Bot' || user.login.endsWith('[bot]') || isByApp;
      return { body: found?.body ?? '', author: user.login, authorId: user.login, isBot };
    },
    async mayWrite({ authorId }) {
      const path = `${root}/collaborators/${encodeURIComponent(authorId)}/permission`;
      const found = await read(path, permissionSchema);
      return found !== null && writing.includes(found.permission);
    },
    async say(body) {
      await client.send({ method: 'POST', path: `${root}/issues/${name.number}/comments`, body: { body } });
    },
  };
}
