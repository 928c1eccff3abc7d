import { expect, test } from 'vitest';
import type { GithubPull, TokenRights } from '../../../test/forge/github-pull.ts';
import { headOf } from '../round/rounds.test-helper.ts';
import { sixRounds, threadsAfter } from '../round/six-rounds.test-helper.ts';
import { pullWith, roundOnGithub, shownThreads, summaryOf } from './github-rounds.test-helper.ts';

interface TokenKind extends TokenRights {
  readonly after: ReturnType<typeof threadsAfter>;
  /** The requests of each round, as references/ci.md states them. */
  readonly counts: readonly number[];
}

const onePage = 50;
const mayAll: TokenKind = {
  resolve: true,
  checks: true,
  statuses: true,
  after: threadsAfter({ gone: ' (resolved)', back: '' }),
  counts: [7 + 3, 7 + 3 + 1, 7, 7, 7 + 3 + 1 + 1, 7],
};
/** The token of a job without `checks: write`: GitHub lets no such token resolve a thread. */
const mayComment: TokenKind = {
  resolve: false,
  checks: false,
  statuses: true,
  after: threadsAfter({ gone: ' +1', back: ' +1' }),
  counts: [7 + 3, 7 + 3 + 1 + 1, 7 + 1, 7 + 1, 7 + 3 + 1 + 1, 7 + 1],
};

/** Publishes all rounds; returns the number of requests of each. */
async function live(pull: GithubPull, { after, checks }: TokenKind): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const [index, round] of sixRounds.entries()) {
    const [number, dismissed] = [index + 1, pull.threads().at(-1)];
    if (number === 6 && dismissed !== undefined) dismissed.isResolved = true;
    const before = pull.requests().length;
    expect(await roundOnGithub(pull, number, round)).toMatchObject({
      published: true,
      round: number,
      evidence: checks ? 'check run' : 'commit status',
    });
    counts.push(pull.requests().length - before);
    expect([number, ...shownThreads(pull)]).toEqual([number, ...(after[index] ?? [])]);
    expect(summaryOf(pull)).toContain(`Round ${number}, commit ${headOf(number)}`);
    expect([pull.checks().length, pull.statuses().length]).toEqual(checks ? [number, 0] : [0, number]);
  }
  expect(summaryOf(pull)).toContain('0 new, 2 still there, 0 fixed, 1 dismissed');
  expect(pull.reviews()).toHaveLength(3);
  return counts;
}

test.each([
  ['may resolve threads and write check runs', mayAll],
  ['may only comment and write statuses', mayComment],
])(
  'six rounds with a token that %s: the threads are right after each, nothing is doubled',
  async (_, rights) => {
    const pull = await pullWith({}, { rights });
    await live(pull, rights);
    expect(pull.threads()).toHaveLength(4);
  },
);

test.each([
  ['may resolve threads and write check runs', mayAll],
  ['may only comment and write statuses', mayComment],
])('a round with a token that %s makes the requests that references/ci.md states', async (_, rights) => {
  expect(await live(await pullWith({}, { rights, pageSize: onePage }), rights)).toEqual(rights.counts);
});
