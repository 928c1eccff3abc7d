import { expect, test } from 'vitest';
import type { GitlabMergeRequest } from '../../../test/forge/gitlab-merge-request.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { openRoundHost } from '../open-forge.ts';
import type { RoundEvidence } from '../round/round-host.ts';
import { findingOn, headOf } from '../round/rounds.test-helper.ts';
import {
  gitlabHostOf,
  mergeRequestWith,
  publishOnGitlab as round,
  type Files,
} from './gitlab-rounds.test-helper.ts';

const first: Files = { 'till.ts': ['eval(cash);', 'done();'], 'tax.ts': ['const rate = 0.1;'] };
const onEval = findingOn({
  path: 'till.ts',
  line: 1,
  quote: 'eval(cash);',
  title: 'eval',
  replacement: 'read(cash);',
});
const onRate = findingOn({ path: 'tax.ts', line: 1, quote: 'const rate = 0.1;', title: 'fixed rate' });
const shown = (world: GitlabMergeRequest) =>
  world
    .discussions()
    .map(
      ({ place, isResolved, notes }) =>
        `${place}${isResolved ? ' resolved' : ''}${' +'.repeat(notes.length - 1)}`,
    );

test('a merge request lives through rounds: discussions are posted once, and resolved when the finding is gone', async () => {
  const world = await mergeRequestWith(first);
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
  const world = await mergeRequestWith(first, { mayResolve: false });
  await round(world, 1, first, [onEval, onRate]);
  const fixed = { ...first, 'tax.ts': ['const rate = rateOf();'] };
  for (const number of [2, 3]) await round(world, number, fixed, [onEval]);
  expect(shown(world)).toEqual(['tax.ts:1 +', 'till.ts:1', 'null']);
});

const isDiscussion = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method === 'POST' && path.endsWith('/discussions');

test('a position that GitLab refuses becomes a discussion of the file', async () => {
  const answer = { status: 400, body: { message: '400 Bad request - line_code is invalid' } };
  const world = await mergeRequestWith(first, { faults: [{ answer, when: isDiscussion }] });
  await round(world, 1, first, [onEval]);
  expect(shown(world)).toEqual(['till.ts:file', 'null']);
});

test('a discussion whose answer is lost is not posted again', async () => {
  const answer = { status: 502, body: '' };
  const world = await mergeRequestWith(first, { faults: [{ answer, when: isDiscussion, isDone: true }] });
  await round(world, 1, first, [onEval, onRate]);
  expect(shown(world)).toEqual(['tax.ts:1', 'till.ts:1', 'null']);
});

const isStatus = ({ path }: { readonly path: string }) => path.includes('/statuses/');
const evidence: RoundEvidence = {
  head: headOf(1),
  isPassed: true,
  title: 'Clean',
  text: '',
  digest: 'd'.repeat(64),
  url: null,
};

async function evidenceOn(world: GitlabMergeRequest, more: Partial<RoundEvidence> = {}) {
  const host = await openRoundHost(...gitlabHostOf(world));
  return host.putEvidence({ ...evidence, ...more });
}

test('the evidence is a status of the commit, with an address if there is one', async () => {
  const world = await mergeRequestWith(first);
  expect(await evidenceOn(world)).toBe('commit status');
  await evidenceOn(world, { isPassed: false, title: 't'.repeat(300), url: 'https://ci.example/1' });
  const proof = ` (${'d'.repeat(12)})`;
  expect(world.statuses()).toEqual([
    { name: 'collab', state: 'success', description: `Clean${proof}` },
    {
      name: 'collab',
      state: 'failed',
      description: `${'t'.repeat(255 - proof.length)}${proof}`,
      target_url: 'https://ci.example/1',
    },
  ]);
});

test.each([
  [400, 'commit status'],
  [401, null],
  [403, null],
  [404, null],
])('a status that GitLab refuses with %i', async (status, what) => {
  const answer = { status, body: { message: 'refused' } };
  const world = await mergeRequestWith(first, { faults: [{ answer, when: isStatus }] });
  expect(await evidenceOn(world)).toBe(what);
});

test('any other refusal of the status is an error', async () => {
  const answer = { status: 422, body: { message: 'refused' } };
  const world = await mergeRequestWith(first, { faults: [{ answer, when: isStatus }] });
  await expect(evidenceOn(world)).rejects.toThrow(CollabError);
});

test('a suggestion replaces up to 101 lines, and holds no quick action', async () => {
  const { suggestionOf } = await openRoundHost(...gitlabHostOf(await mergeRequestWith(first)));
  expect(suggestionOf(1, 'a')).toBe('suggestion:-0+0');
  expect(suggestionOf(101, 'a')).toBe('suggestion:-100+0');
  expect(suggestionOf(102, 'a')).toBeNull();
  expect(suggestionOf(1, '/close')).toBeNull();
});
