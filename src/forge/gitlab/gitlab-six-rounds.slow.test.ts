import { expect, test } from 'vitest';
import type { Fault, ForgeServerRequest } from '../../../test/forge/forge-server.ts';
import type { GitlabMergeRequest } from '../../../test/forge/gitlab-merge-request.ts';
import { headOf } from '../round/rounds.test-helper.ts';
import { sixRounds, threadsAfter } from '../round/six-rounds.test-helper.ts';
import { mergeRequestWith, publishOnGitlab as round } from './gitlab-rounds.test-helper.ts';

interface TokenKind {
  readonly mayResolve: boolean;
  readonly after: ReturnType<typeof threadsAfter>;
  /** The requests of each round, as references/ci.md states them, if each list is one page. */
  readonly counts: readonly number[];
}

const mayAll: TokenKind = {
  mayResolve: true,
  after: threadsAfter({ gone: ' (resolved)', back: '' }),
  counts: [7 + 2 + 2, 7 + 1 + 1 + 2, 7, 7, 7 + 1 + 1 + 1 + 2, 7],
};
/** Each round asks once whether it may resolve threads, and replies to one of them once. */
const mayComment: TokenKind = {
  mayResolve: false,
  after: threadsAfter({ gone: ' +', back: ' +' }),
  counts: [7 + 2 + 2, 7 + 1 + 2 + 1 + 1, 7 + 1, 7 + 1, 7 + 1 + 2 + 1 + 1, 7 + 1],
};
const { files: first, found } = sixRounds[0] ?? { files: {}, found: [] };

const onLines = (world: GitlabMergeRequest) => world.discussions().filter(({ place }) => place !== null);
const shown = (world: GitlabMergeRequest) =>
  onLines(world).map(({ place, isResolved, notes }) => {
    const title = /\*\*\w+:\*\* (.*)/.exec(notes[0]?.body ?? '')?.[1];
    return `${place} ${title}${isResolved ? ' (resolved)' : ''}${' +'.repeat(notes.length - 1)}`;
  });
const summaryOf = (world: GitlabMergeRequest): string => {
  const own = world.discussions().filter(({ place }) => place === null);
  expect(own).toHaveLength(1);
  return own[0]?.notes[0]?.body ?? '';
};

/** Publishes all rounds; returns the number of requests of each. */
async function live(world: GitlabMergeRequest, { after } = mayAll): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const [index, { files, found: reported }] of sixRounds.entries()) {
    if (index === 5) {
      const dismissed = onLines(world).at(-1);
      if (dismissed !== undefined) dismissed.isResolved = true;
    }
    const before = world.requests().length;
    expect(await round(world, index + 1, files, reported)).toMatchObject({
      published: true,
      round: index + 1,
      evidence: 'commit status',
    });
    counts.push(world.requests().length - before);
    expect([index + 1, ...shown(world)]).toEqual([index + 1, ...(after[index] ?? [])]);
    expect(summaryOf(world)).toContain(`Round ${index + 1}, commit ${headOf(index + 1)}`);
    expect(world.statuses()).toHaveLength(index + 1);
    expect(world.statuses().at(-1)).toMatchObject({ name: 'collab', state: 'failed' });
  }
  expect(summaryOf(world)).toContain('0 new, 2 still there, 0 fixed, 1 dismissed');
  return counts;
}

test('a merge request lives through six rounds, in pages of two discussions: nothing is doubled or lost', async () => {
  const counts = await live(await mergeRequestWith(first));
  // 7, one for each comment and each resolved thread, 2 more with comments, and the further pages.
  expect(counts).toEqual([11, 13, 8, 8, 15, 9]);
});

test.each([
  ['may resolve discussions', mayAll],
  ['may only comment', mayComment],
])(
  'six rounds with a token that %s leave the right discussions, with the requests that references/ci.md states',
  async (_, token) => {
    const { mayResolve } = token;
    const world = await mergeRequestWith(first, { pageSize: 100, mayResolve });
    expect(await live(world, token)).toEqual(token.counts);
    expect(onLines(world)).toHaveLength(4);
  },
);

const isWrite = ({ method }: ForgeServerRequest): boolean => method !== 'GET';
const isList = ({ path, method }: ForgeServerRequest): boolean =>
  method === 'GET' && path.endsWith('/discussions');
const limited = (headers: Readonly<Record<string, string>>) => ({
  status: 429,
  headers,
  body: { message: 'Too Many Requests' },
});
const broken = (status: number) => ({ status, body: 'upstream' });

test.each<[string, readonly Fault[]]>([
  [
    'limits with a time to wait',
    [isWrite, isList, isWrite, isWrite].map((when) => ({ when, answer: limited({ 'retry-after': '1' }) })),
  ],
  [
    'limits with the time of their end',
    [isWrite, isList].map((when) => ({
      when,
      answer: limited({ 'ratelimit-remaining': '0', 'ratelimit-reset': '2' }),
    })),
  ],
  ['reads that fail twice', [isList, isList].map((when) => ({ when, answer: broken(503) }))],
  [
    'writes that fail, and have their effect',
    [1, 2, 3].map(() => ({ when: isWrite, answer: broken(502), isDone: true })),
  ],
  ['writes that fail, and have none', [1, 2, 3].map(() => ({ when: isWrite, answer: broken(500) }))],
])('six rounds with %s leave the same', async (_, faults) => {
  expect(await live(await mergeRequestWith(first, { faults }))).toHaveLength(6);
});

test('the token of a job is refused before anything is written', async () => {
  const world = await mergeRequestWith(first, { isJobToken: true });
  await expect(round(world, 1, first, found)).rejects.toMatchObject({ code: 'auth', status: 401 });
  expect([world.discussions(), world.statuses()]).toEqual([[], []]);
});

test('a push while comments are posted: they are about the reviewed commits, and no summary is written', async () => {
  let pushed = false;
  const world = await mergeRequestWith(first, {
    faults: [
      {
        answer: broken(404),
        when(request) {
          if (isWrite(request) && !pushed) {
            pushed = true;
            world.push({ head: headOf(9), diff: '' });
          }
          return false;
        },
      },
    ],
  });
  expect(await round(world, 1, first, found)).toEqual({ published: false, because: 'newer_head' });
  expect([world.discussions(), world.statuses()]).toEqual([[], []]);
});
