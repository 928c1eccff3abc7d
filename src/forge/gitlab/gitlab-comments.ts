/** Commands in notes of GitLab: reads the note and the access level of its author from the API. */
import { z } from 'zod';
import type { CommentHost } from '../commands/comment-host.ts';
import type { PullRequestClient } from '../forge-client.ts';
import { nullIfMissing } from '../forge-error.ts';
import type { RoundHost } from '../round/round-host.ts';
import { createGitlabBranches } from './gitlab-branches.ts';
import { noteRequest } from './quick-actions.ts';

const noteSchema = z.looseObject({
  body: z.string(),
  author: z.looseObject({ id: z.int(), username: z.string() }).nullish(),
  /** True for the host's own notes, such as "assigned to". */
  system: z.boolean().nullish(),
});
const memberSchema = z.looseObject({ access_level: z.int(), state: z.string().nullish() });
const userSchema = z.looseObject({ bot: z.boolean().nullish() });
/** The first level that may push. */
const developer = 30;

export function createGitlabComments(rounds: RoundHost, { client, name }: PullRequestClient): CommentHost {
  const project = `projects/${encodeURIComponent(name.repository)}`;
  const request = `${project}/merge_requests/${name.number}`;

  const read = <Content>(path: string, schema: z.ZodType<Content>): Promise<Content | null> =>
    nullIfMissing(client.read({ path }, schema));

  return {
    ...rounds,
    branches: createGitlabBranches({ client, name }),
    async readComment({ id }) {
      const note = await read(`${request}/notes/${id}`, noteSchema);
      if (note === null || note.author === null || note.author === undefined) return null;
      const { author, body } = note;
      const user = await read(`users/${author.id}`, userSchema);
      const isBot = note.system === true || user?.bot === true;
      return { body, author: author.username, authorId: String(author.id), isBot };
    },
    async mayWrite({ authorId }) {
      const member = await read(`${project}/members/all/${authorId}`, memberSchema);
      if (member === null || (member.state ?? 'active') !== 'active') return false;
      return member.access_level >= developer;
    },
    async say(body) {
      await client.send(noteRequest({ path: `${request}/notes`, text: body }));
    },
  };
}
