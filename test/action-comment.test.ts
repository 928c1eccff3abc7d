/** The part of the publish step that talks to GitHub: limits, failures and what is left after them. */
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { headOf } from '../src/forge/round/rounds.test-helper.ts';
import type { Fault } from './forge/forge-server.ts';
import { startGithubPull, type GithubPullOptions } from './forge/github-pull.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;
interface Waits {
  readonly now: () => number;
}
const load = async (name: string): Promise<unknown> =>
  import(new URL(`../action/${name}`, import.meta.url).href);
const { createWaits } = z
  .object({ createWaits: z.custom<(options: object) => Waits>() })
  .parse(await load('waits.mjs'));
const { connect } = z
  .looseObject({ connect: z.custom<(env: object, waits: Waits) => Call>() })
  .parse(await load('github-api.mjs'));
const { putComment } = z
  .object({ putComment: z.custom<(api: Call, comment: object) => Promise<string>>() })
  .parse(await load('comment.mjs'));

const bot = 'github-actions[bot]';
const body = '<!-- collab:review -->\n\n# Code review: findings';

interface Step {
  readonly faults?: readonly Fault[];
  readonly options?: Partial<GithubPullOptions>;
  /** The time that each request takes. */
  readonly tookMs?: number;
}

/** A step that is to write the comment; its waits take no time. */
async function step({ faults = [], options = {}, tookMs = 0 }: Step = {}) {
  let time = 0;
  const pull = await startGithubPull({ head: headOf(1), diff: '', login: bot, faults, ...options });
  onTestFinished(() => pull.close());
  const lines: string[] = [];
  const waits = createWaits({
    now: () => (time += tookMs),
    sleep: async () => undefined,
    tell: (line: string) => void lines.push(line),
  });
  const env = {
    GITHUB_API_URL: `${pull.url}/api/v3`,
    GITHUB_REPOSITORY: 'shop/till',
    INPUT_GITHUB_TOKEN: 'a',
  };
  const put = () => putComment(connect(env, waits), { number: 7, author: bot, body, waits });
  return { pull, lines, put };
}

const isGet: Fault['when'] = ({ method }) => method === 'GET';
const isWrite: Fault['when'] = ({ method }) => method !== 'GET';
const answer = (status: number, headers: Readonly<Record<string, string>> = {}, message = 'no') => ({
  status,
  headers,
  body: { message },
});
const spent = (reset: string) => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset });
const secondary = 'You have exceeded a secondary rate limit';

test.each<[string, Fault, RegExp]>([
  ['a limit with a time', { answer: answer(429, { 'retry-after': '7' }) }, /429; attempt 2 of 4 in 7 s$/],
  ['a limit with no time to wait', { answer: answer(429, { 'retry-after': '0' }) }, /attempt 2 of 4 in 1 s$/],
  ['a limit without a time', { answer: answer(429) }, /429; attempt 2 of 4 in 60 s$/],
  ['a secondary limit', { answer: answer(403, {}, secondary) }, /403; attempt 2 of 4 in 60 s$/],
  ['a limit that is used up', { answer: answer(403, spent('20')) }, /403; attempt 2 of 4 in 20 s$/],
  ['a failure', { answer: answer(502) }, /502; attempt 2 of 4 in 1 s$/],
  ['a failure of what was done', { answer: answer(502), isDone: true }, /502; attempt 2 of 4 in 1 s$/],
  ['a reset', { answer: 'reset' }, /cannot be reached \(\w+\); attempt 2 of 4 in 1 s$/],
  ['a reset of what was done', { answer: 'reset', isDone: true }, /cannot be reached .* in 1 s$/],
  [
    'an answer that ends in the middle',
    { answer: { ...answer(200, { 'content-length': '99', connection: 'close' }), body: '{' }, isDone: true },
    /cannot be reached \(\w+\); attempt 2 of 4 in 1 s$/,
  ],
])('%s, at the read and at the write, leaves one comment and one line', async (_, fault, line) => {
  for (const when of [isGet, isWrite]) {
    const { pull, lines, put } = await step({ faults: [{ ...fault, when }] });
    expect(await put()).toMatch(/#comment-\d+$/);
    expect([pull.comments().map((one) => one.body), lines]).toEqual([[body], [expect.stringMatching(line)]]);
  }
});

test('a host that keeps failing is asked four times', async () => {
  const faults = Array.from({ length: 9 }, () => ({ answer: answer(503) }));
  const { pull, lines, put } = await step({ faults });
  await expect(put()).rejects.toThrow(/was answered with 503, in 4 attempts$/);
  expect([pull.requests().length, lines.length]).toEqual([4, 3]);
});

test.each([isGet, isWrite])(
  'attempts that fail slowly take their time from the five minutes',
  async (when) => {
    const faults = Array.from({ length: 9 }, () => ({ answer: answer(503), when }));
    const { pull, put } = await step({ faults, tookMs: 200_000 });
    await expect(put()).rejects.toThrow(/503: run the job again in 2 s$/);
    expect(pull.requests().filter((one) => one.startsWith(when === isGet ? 'GET' : 'POST'))).toHaveLength(2);
  },
);

test.each<[string, Fault, RegExp]>([
  [
    'a limit that ends in an hour',
    { answer: answer(403, spent('3600')) },
    /403: run the job again in 3600 s$/,
  ],
  ['a token that may not write', { answer: answer(403), when: isWrite }, /pull-requests: write/],
  ['an answer in an unknown form', { answer: { status: 200, body: '<html>' } }, /200 in an unknown form$/],
])('%s ends the step at once', async (_, fault, message) => {
  const { pull, lines, put } = await step({ faults: [fault] });
  await expect(put()).rejects.toThrow(message);
  expect([pull.comments(), lines]).toEqual([[], []]);
});

test('a repository that moved is read at its new address, with the token', async () => {
  const location = '/api/v3/repos/shop/till/issues/7/comments?per_page=100';
  const { pull, put } = await step({
    faults: [{ answer: { status: 301, headers: { location }, body: '' } }],
  });
  await put();
  expect(pull.comments()).toHaveLength(1);
  expect(new Set(pull.logins())).toEqual(new Set(['Bearer a']));
});

test('the comment of the last review is replaced; another author’s with the same mark is kept', async () => {
  const { pull, put } = await step();
  for (let count = 0; count < 150; count += 1) pull.say('LGTM');
  const forged = '<!-- collab:review -->\n\n# clean';
  pull.say(forged, 'stranger');
  const former = pull.say('<!-- collab:review -->\r\n\r\n# Code review: clean', bot);
  pull.say('<!-- collab:review -->\n', bot);
  await put();
  expect(pull.comments().slice(150)).toEqual([
    expect.objectContaining({ body: forged, author: 'stranger' }),
    { id: former, author: bot, body },
  ]);
});
