import { expect, test } from 'vitest';
import type { ForgeServerAnswer } from '../../../test/forge/forge-server.ts';
import { shownThreads, summaryOf } from './github-rounds.test-helper.ts';
import {
  withFaultAt,
  type Case,
  requestsOfARound,
  expectWhole,
  after,
  isGraphql,
} from './github-faults.test-helper.ts';

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: { message },
});
const graphqlError = (error: Readonly<Record<string, unknown>>): ForgeServerAnswer => ({
  status: 200,
  body: { data: null, errors: [error] },
});
const unfinished = 'Something went wrong while executing your query. This may be the result of a timeout.';

const passing: readonly (readonly [string, Case])[] = [
  ['a limit with a time', { answer: refusal(429, 'Too many requests', { 'retry-after': '2' }) }],
  [
    'a secondary limit with a time',
    { answer: refusal(403, 'You have exceeded a secondary rate limit', { 'retry-after': '30' }) },
  ],
  ['a secondary limit without a time', { answer: refusal(403, 'You have exceeded a secondary rate limit') }],
  [
    'a limit that is used up',
    {
      answer: refusal(403, 'API rate limit exceeded', {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '20',
      }),
    },
  ],
  ['a failure of the server', { answer: refusal(502, 'Bad gateway') }],
  ['a failure of the server after the request had its effect', { answer: refusal(500, ''), isDone: true }],
  ['a reset', { answer: 'reset' }],
  ['a reset after the request had its effect', { answer: 'reset', isDone: true }],
  ['a GraphQL limit', { answer: graphqlError({ type: 'RATE_LIMITED', message: 'limit' }), of: isGraphql }],
  ['a GraphQL request that takes too long', { answer: graphqlError({ message: unfinished }), of: isGraphql }],
  [
    'a GraphQL request that takes too long and has its effect',
    { answer: graphqlError({ message: unfinished }), isDone: true, of: isGraphql },
  ],
];

test.each(passing)(
  '%s at any request is waited for, with a line, and leaves the same',
  { timeout: 120_000 },
  async (_, fault) => {
    for (let at = 1; at <= requestsOfARound; at += 1) {
      const { pull, again, waits, failed } = await withFaultAt(at, fault);
      expect(await again()).toMatchObject({ published: true, round: 2, evidence: 'check run' });
      expectWhole(pull, at);
      expect([at, waits.length]).toEqual([at, failed() === null ? 0 : 1]);
    }
  },
);

const lasting: readonly (readonly [string, Case, string])[] = [
  ['a token that ends', { answer: refusal(401, 'Bad credentials') }, 'auth'],
  [
    'a limit that ends in an hour',
    {
      answer: refusal(403, 'API rate limit exceeded', {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '3600',
      }),
    },
    'rate_limit',
  ],
];

test.each(lasting)(
  '%s at any request ends the round at once; the next process completes it',
  { timeout: 120_000 },
  async (_, fault, code) => {
    for (let at = 1; at <= requestsOfARound; at += 1) {
      const { pull, again, waits, failed } = await withFaultAt(at, fault);
      const ended = await again().catch((error: unknown) => error);
      expect(failed()).not.toBeNull();
      // A refused resolve becomes a reply, and a refused check run a status: the host answers the same for a right that is missing.
      const isForARight = code === 'auth' && [6, 10, 11].includes(at);
      expect(ended).toMatchObject(isForARight ? { published: true } : { code });
      expect(waits).toEqual([]);
      await again();
      expect(new Set(shownThreads(pull).map((one) => one.replace(/ \+1$/, '')))).toEqual(new Set(after));
      summaryOf(pull);
    }
  },
);
