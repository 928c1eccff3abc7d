/** A round on a merge request of GitLab: each comment is a discussion, posted by itself. */
import { z } from 'zod';
import { hasQuickAction } from '../../views/reports/foreign-text.ts';
import { summaryMark } from '../../views/rounds/summary-body.ts';
import type { Forge } from '../contract.ts';
import { unreadableAnswer, type PullRequestClient } from '../forge-client.ts';
import { ForgeError } from '../forge-error.ts';
import { findingMark, type Marks } from '../round/marks.ts';
import { answeredIn, dismissalsIn, readOwnReplies } from '../round/own-replies.ts';
import type { OwnThread } from '../round/plan-round.ts';
import type { RoundComment, RoundHost } from '../round/round-host.ts';
import { noteRequest } from './quick-actions.ts';

export interface GitlabRoundOptions extends PullRequestClient {
  readonly forge: Forge;
  readonly marks: Marks;
}

const noteSchema = z.looseObject({
  id: z.int(),
  body: z.string(),
  author: z.looseObject({ id: z.int() }).nullish(),
  resolved: z.boolean().nullish(),
});
const discussionSchema = z.looseObject({ id: z.string(), notes: z.array(noteSchema) });
type Discussion = z.infer<typeof discussionSchema>;
const userSchema = z.looseObject({ id: z.int() });
const createdSchema = z.looseObject({ id: z.int() });
const refsSchema = z.looseObject({
  diff_refs: z.looseObject({ base_sha: z.string(), start_sha: z.string(), head_sha: z.string() }),
});

type Refs = z.infer<typeof refsSchema>['diff_refs'];

const statusName = 'collab';
/** GitLab refuses longer descriptions of a commit status. */
const longestDescription = 255;
/** A suggestion that names more lines above its own replaces this many, and leaves the others. */
const mostLinesAbove = 100;

export function createGitlabRounds({ forge, client, name, marks }: GitlabRoundOptions): RoundHost {
  const project = `projects/${encodeURIComponent(name.repository)}`;
  const request = `${project}/merge_requests/${name.number}`;
  const page = `${name.server}/${name.repository}/-/merge_requests/${name.number}`;

  async function write(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> {
    await client.send({ method, path, ...(body === undefined ? {} : { body }) });
  }

  let me: z.infer<typeof userSchema> | null = null;
  /** The commits that GitLab compared when the round was read: a position is about these. */
  let refs: Refs | null = null;

  async function readRefs(): Promise<Refs> {
    return (await client.read({ path: request }, refsSchema)).diff_refs;
  }

  return {
    ...forge,
    waits: client.waits,
    async readRound() {
      me ??= await client.read({ path: 'user' }, userSchema);
      const { id } = me;
      const path = `${request}/discussions`;
      const found = z.array(discussionSchema).safeParse(await client.list(path));
      if (!found.success) throw unreadableAnswer('gitlab', path);
      const own = found.data.filter(({ notes: [first] }) => first?.author?.id === id);
      // The last request of all: a push in between must be noticed.
      refs = await readRefs();
      return {
        head: refs.head_sha,
        threads: own.flatMap((discussion) => ownThread(discussion, { me: id, marks, page })),
        summaries: own
          .flatMap(({ notes: [first] }) => first ?? [])
          .filter(({ body }) => body.split(/\r?\n/, 1)[0]?.trim() === summaryMark)
          .map((note) => ({ id: String(note.id), body: note.body, url: `${page}#note_${note.id}` })),
        dismissed: dismissalsIn(
          own.flatMap(({ notes: [first] }) => first?.body ?? []),
          marks,
        ),
        answered: answeredIn(
          found.data.flatMap(({ notes }) => ownBodies(notes, id)),
          marks,
        ),
      };
    },
    // A line of a suggestion is applied as it is, so that a quick action cannot be broken there.
    suggestionOf: (lines, text) =>
      lines - 1 > mostLinesAbove || hasQuickAction(text) ? null : `suggestion:-${lines - 1}+0`,
    postReview: null,
    async postComment(_head, comment) {
      refs ??= await readRefs();
      const { base_sha, start_sha, head_sha } = refs;
      const position = { base_sha, start_sha, head_sha, ...positionOf(comment) };
      await client.send(noteRequest({ path: `${request}/discussions`, text: comment.body, position }));
    },
    async resolve({ id }) {
      await write('PUT', `${request}/discussions/${id}`, { resolved: true });
    },
    async reopen({ id }) {
      await write('PUT', `${request}/discussions/${id}`, { resolved: false });
    },
    async reply({ id }, body) {
      await client.send(noteRequest({ path: `${request}/discussions/${id}/notes`, text: body }));
    },
    async putSummary(former, body) {
      const path = former === null ? `${request}/notes` : `${request}/notes/${former.id}`;
      const note = noteRequest({ path, text: body }, former === null ? 'POST' : 'PUT');
      const { id } = await client.read(note, createdSchema);
      return `${page}#note_${id}`;
    },
    async removeSummary({ id }) {
      await write('DELETE', `${request}/notes/${id}`);
    },
    async putEvidence({ head, isPassed, title, digest, url }) {
      const proof = ` (${digest.slice(0, 12)})`;
      try {
        await write('POST', `${project}/statuses/${head}`, {
          name: statusName,
          state: isPassed ? 'success' : 'failed',
          description: `${title.slice(0, longestDescription - proof.length)}${proof}`,
          ...(url === null ? {} : { target_url: url }),
        });
      } catch (error) {
        if (!(error instanceof ForgeError)) throw error;
        if (error.code === 'auth' || error.status === 404) return null;
        // The commit has this status already.
        if (error.status !== 400) throw error;
      }
      return 'commit status';
    },
  };
}

/** A line of the context has a number on both sides. */
function positionOf({ place: { path, oldPath, lines } }: RoundComment): Readonly<Record<string, unknown>> {
  const paths = { new_path: path, old_path: oldPath };
  if (lines === null) return { position_type: 'file', ...paths };
  const [end, other] = lines.side === 'new' ? ['new_line', 'old_line'] : ['old_line', 'new_line'];
  const numbers = { [end]: lines.end, ...(lines.otherEnd === null ? {} : { [other]: lines.otherEnd }) };
  return { position_type: 'text', ...paths, ...numbers };
}

interface ThreadFacts {
  readonly me: number;
  readonly marks: Marks;
  readonly page: string;
}

/** Returns nothing for a discussion without a finding. */
function ownThread({ id, notes }: Discussion, { me, marks, page }: ThreadFacts): readonly OwnThread[] {
  const [first, ...replies] = notes;
  const finding = first === undefined ? null : marks.read(findingMark, first.body);
  if (first === undefined || finding === null) return [];
  const place = { commentId: String(first.id), url: `${page}#note_${first.id}`, body: first.body };
  const replied = readOwnReplies(ownBodies(replies, me), marks);
  return [{ id, ...place, finding, isResolved: first.resolved === true, ...replied }];
}

function ownBodies(notes: Discussion['notes'], me: number): readonly string[] {
  return notes.filter(({ author }) => author?.id === me).map(({ body }) => body);
}
