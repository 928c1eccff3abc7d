import { expect, test } from 'vitest';
import type { GithubPull } from '../../../test/forge/github-pull.ts';
import type { Finding } from '../../events/collab-event.ts';
import {
  publishOnGithub,
  pullWith,
  roundOnGithub,
  shownThreads,
  summaryOf,
} from '../github/github-rounds.test-helper.ts';
import { diffOf, findingOn, headOf, roundResult } from './rounds.test-helper.ts';

type Files = Readonly<Record<string, readonly string[]>>;

const till = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const onEval = findingOn({
  path: 'src/till.ts',
  line: 2,
  quote: till[1] ?? '',
  title: 'eval runs the input',
});
const publish = publishOnGithub;
const shown = shownThreads;
const round = (pull: GithubPull, number: number, files: Files, found: readonly Finding[]) =>
  roundOnGithub(pull, number, { files, found });

test('a finding keeps its number over rounds, with and without a thread; a new one gets the next', async () => {
  const files = { 'src/till.ts': till };
  const pull = await pullWith(files);
  const beside = {
    ...onEval,
    identity: 'be'.repeat(32),
    path: 'src/other.ts',
    outside_change: true,
    title: 'beside',
  };
  await round(pull, 1, files, [beside, onEval]);
  const listed = () =>
    summaryOf(pull)
      .match(/F\d+ \*\*Critical\*\* .*?: (.*)/g)
      ?.map((line) => line.replace(/ \*.*: /, ' '));
  expect(listed()).toEqual(['F1 eval runs the input', 'F2 beside']);
  expect(pull.threads()[0]?.comments[0]?.body).toContain('F1 **Critical:** eval runs the input');
  const onCash = findingOn({ path: 'src/till.ts', line: 3, quote: till[2] ?? '', title: 'cash' });
  await round(pull, 2, { 'src/till.ts': ['// A till.', ...till] }, [
    { ...beside, title: 'beside, reworded' },
    { ...onCash, start_line: 4, end_line: 4 },
    { ...onEval, start_line: 3, end_line: 3 },
  ]);
  expect(listed()).toEqual(['F1 eval runs the input', 'F3 cash', 'F2 beside, reworded']);
  await round(pull, 3, files, [onCash]);
  await round(pull, 4, files, [onCash, beside, onEval]);
  expect(listed()).toEqual(['F1 eval runs the input', 'F3 cash', 'F2 beside']);
});

test('the summary opens with the outcome and links each finding to its thread; the proof is folded', async () => {
  const files = { 'src/till.ts': till };
  const pull = await pullWith(files);
  await round(pull, 1, files, [onEval]);
  const [thread] = pull.threads();
  const body = summaryOf(pull).split('\n').slice(2).join('\n');
  expect(body).toMatch(/^\n# Code review: findings — 1 finding: 1 critical\n/);
  expect(body).toContain(
    `- F1 **Critical** [\`src/till.ts:2\`](https://github.example/shop/till/pull/7#comment-${thread?.comments[0]?.id}): eval`,
  );
  expect(body).toMatch(/<details>\n<summary>Proof<\/summary>\n\n[^]*\n<\/details>\n$/);
  expect(pull.checks()).toEqual([
    expect.objectContaining({
      name: 'collab',
      conclusion: 'failure',
      head_sha: headOf(1),
      external_id: 'd'.repeat(64),
    }),
  ]);
});

test(
  'the state of a change with many lines leaves the summary less room: both fit into a comment',
  { timeout: 120_000 },
  async () => {
    const lines = Array.from({ length: 4990 }, (_, index) => `const price${index} = eval(input${index});`);
    const files = { 'src/till.ts': lines };
    const found = Array.from({ length: 70 }, (_, index) => {
      const place = { path: 'src/till.ts', line: index + 1, quote: lines[index] ?? '' };
      return {
        ...findingOn({ ...place, title: `${index} eval` }),
        outside_change: true,
        body: 'Why? '.repeat(200),
      };
    });
    const pull = await pullWith(files, { pageSize: 50 });
    await round(pull, 1, files, found);
    const whole = summaryOf(pull);
    expect(whole.length).toBeLessThanOrEqual(65_536);
    expect(whole.match(/^- F\d+ \*\*Critical\*\*/gm)).toHaveLength(70);
    expect(whole).toContain('Left out: 50 texts (in the JSON report of r-20261121-7f3a).');
  },
);

test('a login that may not resolve replies once, and one that may write no check writes a status', async () => {
  const files = { 'src/till.ts': till };
  const fixed = { 'src/till.ts': [...till.slice(0, 1), ...till.slice(2)] };
  const pull = await pullWith(files, { rights: { resolve: false, checks: false } });
  await round(pull, 1, files, [onEval]);
  for (const number of [2, 3]) await round(pull, number, fixed, []);
  expect(shown(pull)).toEqual(['src/till.ts:2 eval runs the input +1']);
  expect(pull.threads()[0]?.comments[1]?.body).toMatch(new RegExp(`\n\nFixed in ${headOf(2)}.\n$`));
  expect(pull.statuses().map(({ state, context }) => [state, context])).toEqual([
    ['failure', 'collab'],
    ['success', 'collab'],
    ['success', 'collab'],
  ]);
});

test('a thread with many comments gets its reply, once', async () => {
  const files = { 'src/till.ts': till };
  const fixed = { 'src/till.ts': [...till.slice(0, 1), ...till.slice(2)] };
  const pull = await pullWith(files, { rights: { resolve: false }, pageSize: 20 });
  await round(pull, 1, files, [onEval]);
  const [thread] = pull.threads();
  for (let count = 0; count < 80; count += 1) pull.say('Is it?', 'a-person', thread);
  await round(pull, 2, fixed, []);
  const replies = () => thread?.comments.filter(({ body }) => body.includes('Fixed in'));
  expect(replies()).toHaveLength(1);
  for (let count = 0; count < 30; count += 1) pull.say('It is.', 'a-person', thread);
  await round(pull, 3, fixed, []);
  expect(replies()).toHaveLength(1);
});

test('a login that may give no evidence publishes the rest, and the report says so', async () => {
  const files = { 'src/till.ts': till };
  const pull = await pullWith(files, { rights: { checks: false, statuses: false } });
  expect(await round(pull, 1, files, [onEval])).toMatchObject({ published: true, evidence: null });
});

const isFor = (path: string) => (request: { readonly path: string; readonly body: unknown }) =>
  request.path.endsWith('/comments') && JSON.stringify(request.body).includes(`"path":"${path}"`);

test('a comment that is refused on its line is posted on its file, one refused there is in the summary', async () => {
  const files = { 'src/till.ts': till, 'src/tax.ts': ['export const rate = 0.1;'] };
  const onRate = findingOn({
    path: 'src/tax.ts',
    line: 1,
    quote: 'export const rate = 0.1;',
    title: 'The rate is fixed',
  });
  const refused = { status: 422, body: { message: 'line must be part of the diff' } };
  const pull = await pullWith(files, {
    faults: [
      { answer: refused, when: ({ path }) => path.endsWith('/reviews') },
      { answer: refused, when: isFor('src/till.ts') },
      { answer: refused, when: isFor('src/tax.ts') },
      { answer: refused, when: isFor('src/tax.ts') },
    ],
  });
  await round(pull, 1, files, [onEval, onRate]);
  expect(pull.threads().map(({ path, line }) => [path, line])).toEqual([['src/till.ts', null]]);
  expect(pull.threads()[0]?.comments[0]?.body).toContain(
    '`src/till.ts:2`\n\n```ts\n  eval(String(cash));\n```',
  );
  expect(summaryOf(pull)).toContain('## Without a thread\n\n### F1 Critical: The rate is fixed');
});

test.each([502, 'isDone'] as const)(
  'a write that is not answered is read before it is repeated: %s',
  async (how) => {
    const files = { 'src/till.ts': till };
    for (const part of ['/reviews', '/issues/7/comments', '/check-runs']) {
      const when = ({ method, path }: { readonly method: string; readonly path: string }) =>
        method === 'POST' && path.endsWith(part);
      const answer = { status: 502, body: { message: 'Bad gateway' } };
      const pull = await pullWith(files, { faults: [{ answer, when, isDone: how === 'isDone' }] });
      expect(await round(pull, 1, files, [onEval])).toMatchObject({ published: true });
      expect([part, pull.threads().length, pull.checks().length]).toEqual([part, 1, 1]);
      summaryOf(pull);
    }
  },
);

test('a review that does not reach the pull request leaves evidence of it', async () => {
  const files = { 'src/till.ts': till };
  const pull = await pullWith(files, {
    faults: [
      {
        answer: { status: 403, body: { message: 'Resource not accessible' } },
        when: ({ path }) => path.endsWith('/reviews'),
      },
    ],
  });
  await expect(round(pull, 1, files, [onEval])).rejects.toMatchObject({ code: 'auth' });
  expect(pull.checks()).toEqual([
    expect.objectContaining({
      conclusion: 'failure',
      output: expect.objectContaining({ title: 'the review did not reach the pull request' }),
    }),
  ]);
});

test('nothing is written for another head, another change, a draft on request', async () => {
  const files = { 'src/till.ts': till };
  const pull = await pullWith(files, { draft: true });
  const result = roundResult(files, [onEval]);
  const of = (head: string | null, digest = 'c') => ({ ...result, input: { ...result.input, head, digest } });
  expect(await publish(pull, of(headOf(2)))).toEqual({ published: false, because: 'newer_head' });
  expect(await publish(pull, of(null))).toEqual({ published: false, because: 'other_change' });
  expect(await publish(pull, of(headOf(1)), { skipDrafts: true })).toEqual({
    published: false,
    because: 'draft',
  });
  expect(pull.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a head that moves meanwhile ends the round before its summary', async () => {
  const files = { 'src/till.ts': till };
  let isMoved = false;
  const pull: GithubPull = await pullWith(files, {
    onRequest: () => {
      if (isMoved || pull.reviews().length === 0) return;
      isMoved = true;
      pull.push({ head: headOf(2), diff: diffOf(files) });
    },
  });
  expect(await round(pull, 1, files, [onEval])).toEqual({ published: false, because: 'newer_head' });
  expect([pull.comments(), pull.checks()]).toEqual([[], []]);
});

test('marks of others do not count, nor unsigned ones with a secret', async () => {
  const files = { 'src/till.ts': till };
  const pull = await pullWith(files);
  pull.say('<!-- collab:review -->\n\nnot ours');
  const result = roundResult(files, [onEval]);
  const reviewed = { ...result, input: { ...result.input, head: headOf(1) } };
  await publish(pull, reviewed);
  expect(pull.comments()[0]?.body).toBe('<!-- collab:review -->\n\nnot ours');
  await publish(pull, reviewed, { secret: 'a long random word' });
  await publish(pull, reviewed, { secret: 'a long random word' });
  expect(pull.threads()).toHaveLength(2);
});
