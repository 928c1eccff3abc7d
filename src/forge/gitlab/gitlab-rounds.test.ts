import { expect, onTestFinished, test } from 'vitest';
import {
  startGitlabMergeRequest,
  type GitlabMergeRequest,
  type GitlabMergeRequestOptions,
} from '../../../test/forge/gitlab-merge-request.ts';
import type { Finding } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { openRoundHost } from '../open-forge.ts';
import { createMarks } from '../round/marks.ts';
import { publishRound } from '../round/publish-round.ts';
import { diffOf, findingOn, headOf, roundResult } from '../round/rounds.test-helper.ts';

type Files = Readonly<Record<string, readonly string[]>>;

const first: Files = { 'till.ts': ['eval(cash);', 'done();'], 'tax.ts': ['const rate = 0.1;'] };
const onEval = findingOn({
  path: 'till.ts',
  line: 1,
  quote: 'eval(cash);',
  title: 'eval',
  replacement: 'read(cash);',
});
const onRate = findingOn({ path: 'tax.ts', line: 1, quote: 'const rate = 0.1;', title: 'fixed rate' });
const signal = new AbortController().signal;
const clock: Clock = { now: () => 0, sleep: async () => undefined };

async function mergeRequest(more: Partial<GitlabMergeRequestOptions> = {}): Promise<GitlabMergeRequest> {
  const world = await startGitlabMergeRequest({ head: headOf(1), diff: diffOf(first), ...more });
  onTestFinished(() => world.close());
  return world;
}

async function round(world: GitlabMergeRequest, number: number, files: Files, found: readonly Finding[]) {
  world.push({ head: headOf(number), diff: diffOf(files) });
  const name = { forge: 'gitlab', server: world.url, repository: 'shop/till', number: 7 } as const;
  const marks = createMarks({ scope: 'shop/till!7', secret: null });
  const host = await openRoundHost(name, { env: world.env, repositoryRoot: null, clock, signal }, marks);
  const result = roundResult(files, found);
  const reviewed = { ...result, input: { ...result.input, head: headOf(number) } };
  return publishRound({ host, marks, result: reviewed, digest: 'd', skipDrafts: false, clock, signal });
}

const shown = (world: GitlabMergeRequest) =>
  world
    .discussions()
    .map(
      ({ place, isResolved, notes }) =>
        `${place}${isResolved ? ' resolved' : ''}${' +'.repeat(notes.length - 1)}`,
    );

test('a merge request lives through rounds: discussions are posted once, and resolved when the finding is gone', async () => {
  const world = await mergeRequest();
  expect(await round(world, 1, first, [onEval, onRate])).toMatchObject({
    published: true,
    evidence: 'commit status',
    url: expect.stringMatching(/\/shop\/till\/-\/merge_requests\/7#note_\d+$/),
  });
  expect(shown(world)).toEqual(['tax.ts:1', 'till.ts:1', 'null']);
  expect(world.discussions()[1]?.notes[0]?.body).toContain('```suggestion:-0+0\nread(cash);\n```');
  const fixed = { ...first, 'tax.ts': ['const rate = rateOf();'] };
  await round(world, 2, fixed, [onEval]);
  expect(shown(world)).toEqual(['tax.ts:1 resolved', 'till.ts:1', 'null']);
  expect(world.discussions()[2]?.notes[0]?.body).toContain('0 new, 1 still there, 1 fixed');
  await round(world, 3, first, [onEval, onRate]);
  expect(shown(world)).toEqual(['tax.ts:1', 'till.ts:1', 'null']);
  expect(world.statuses()).toMatchObject([{ state: 'failed' }, { state: 'failed' }, { state: 'failed' }]);
});

test('a login that may not resolve replies once', async () => {
  const world = await mergeRequest({ mayResolve: false });
  await round(world, 1, first, [onEval, onRate]);
  const fixed = { ...first, 'tax.ts': ['const rate = rateOf();'] };
  for (const number of [2, 3]) await round(world, number, fixed, [onEval]);
  expect(shown(world)).toEqual(['tax.ts:1 +', 'till.ts:1', 'null']);
});

const isDiscussion = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method === 'POST' && path.endsWith('/discussions');

test('a position that GitLab refuses becomes a discussion of the file', async () => {
  const answer = { status: 400, body: { message: '400 Bad request - line_code is invalid' } };
  const world = await mergeRequest({ faults: [{ answer, when: isDiscussion }] });
  await round(world, 1, first, [onEval]);
  expect(shown(world)).toEqual(['till.ts:file', 'null']);
});

test('a discussion whose answer is lost is not posted again', async () => {
  const answer = { status: 502, body: '' };
  const world = await mergeRequest({ faults: [{ answer, when: isDiscussion, isDone: true }] });
  await round(world, 1, first, [onEval, onRate]);
  expect(shown(world)).toEqual(['tax.ts:1', 'till.ts:1', 'null']);
});
