/** Dismissals over HTTP: the same files as `collab dismiss`, for the owner and for guests with the grants. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { issue, review } from '../contract/workflow/workflow-script.ts';
import { smallDiff } from '../../src/runs/rehearsed-review.test-helper.ts';
import { tokenOf } from '../../src/server/guarded.test-helper.ts';
import { beginReview, serveWorld, type ServedWorld } from './served-folder.ts';

const found = review(
  [
    issue('Critical', 'It breaks', 'export const total = 2;'),
    issue('Minor', 'It is two', 'export const total = 2;'),
  ]
    .join('\n')
    .replaceAll('src/one.js', 'total.ts'),
);
const turns = [{ answer: found, repeat: 'forever' }];
const lead = 'none';

const suppressions = (world: ServedWorld) => join(world.root, 'collab.suppressions.yaml');

async function reviewed(world: ServedWorld): Promise<string> {
  const run = await beginReview(world, { input: {}, lead, include: ['total.ts'] });
  await world.ask(`${run}/events`);
  return run;
}

const dismiss = (world: ServedWorld, run: string, body: object, headers = {}) =>
  world.ask(`${run}/dismissals`, { method: 'POST', body, headers });

test('a dismissal is written once, is listed, and can be repeated', async () => {
  const world = await serveWorld({ turns });
  const run = await reviewed(world);
  expect((await world.ask(`${run}/dismissals`)).json()).toEqual({ dismissals: [], open: ['F2'] });
  const first = await dismiss(world, run, { finding: '2', reason: 'as\nagreed' });
  expect([first.status, first.json()]).toMatchObject([
    201,
    {
      finding: 'F2',
      suppressions: 'collab.suppressions.yaml',
      history: '.collab/history.jsonl',
      is_new: true,
      is_read: false,
    },
  ]);
  const written = readFileSync(suppressions(world), 'utf8');
  const again = await dismiss(world, run, { finding: 'F2', reason: 'another reason' });
  expect([again.status, again.json()]).toMatchObject([200, { is_new: false }]);
  expect(readFileSync(suppressions(world), 'utf8')).toBe(written);
  expect((await world.ask(`${run}/dismissals`)).json()).toMatchObject({
    dismissals: [{ finding: 'F2', reason: 'as agreed' }],
    open: [],
  });
  expect(world.faults).toEqual([]);
});

test('a dismissal that cannot be is refused with its reason, and writes nothing', async () => {
  const world = await serveWorld({ turns });
  const run = await reviewed(world);
  const details = await Promise.all(
    [
      { finding: 'F1', reason: 'no' },
      { finding: 'F7', reason: 'no' },
      { finding: 'F2', reason: ' \n' },
      { finding: 'F2' },
      { finding: 'F2', reason: 'x'.repeat(1001) },
    ].map(async (body) => {
      const { status, text } = await dismiss(world, run, body);
      return [status, /"detail":"([^"]*)/.exec(text)?.[1]];
    }),
  );
  expect(details).toEqual([
    [422, 'F1 is not dismissed: it is Critical'],
    [422, expect.stringContaining('there is no finding')],
    [422, expect.stringContaining('reason')],
    [422, expect.stringContaining('reason')],
    [422, expect.stringContaining('reason')],
  ]);
  const unknown = await dismiss(world, run.replace(/[^/]+$/, 'unknown'), { finding: 'F2', reason: 'no' });
  expect(unknown.status).toBe(404);
  expect(existsSync(suppressions(world))).toBe(false);
});

test('a review that has not ended is a conflict', async () => {
  const asks = '[CONSULT:CLAUDE:CONTEXT]\n\nWhich one?\n';
  const world = await serveWorld({ turns: [{ answer: asks, repeat: 'forever' }] });
  const run = await beginReview(world, { input: { diff: smallDiff }, lead: 'caller' });
  const refused = await dismiss(world, run, { finding: 'F1', reason: 'no' });
  expect([refused.status, refused.text]).toMatchObject([
    409,
    expect.stringContaining('is not a review that has ended'),
  ]);
  expect((await world.ask(`${run}/dismissals`)).json()).toEqual({ dismissals: [], open: [] });
});

test('a guest needs the grants apply and repo:, and its run must be of the served repository', async () => {
  const world = await serveWorld({ turns });
  const base = '/api/tenants/acme/conversations/first';
  const repo = `repo:${basename(world.root)}`;
  const [none, noRepository, all, other] = [
    tokenOf(world, 'acme'),
    tokenOf(world, 'acme', 'run', 'apply'),
    tokenOf(world, 'acme', 'run', 'apply', repo),
    tokenOf(world, 'other', 'run', 'apply', repo),
  ];
  const begin = async (input: object, headers: object): Promise<string> => {
    const body = { kind: 'review', input, lead };
    const begun = await world.ask(`${base}/runs`, { method: 'POST', body, headers: { ...headers } });
    const run = begun.headers.location ?? '';
    await world.ask(`${run}/events`, { headers: { ...headers } });
    return run;
  };
  const elsewhere = await begin({ diff: smallDiff.replaceAll('src/total.ts', 'total.ts') }, none);
  const here = await begin({}, all);
  const body = { finding: 'F2', reason: 'as agreed' };
  const answers = [
    await dismiss(world, here, body, none),
    await dismiss(world, here, body, noRepository),
    await dismiss(world, here, body, other),
    await dismiss(world, here.replace('/acme/', '/other/'), body, other),
    await dismiss(world, elsewhere, body, all),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 404, 409]);
  expect([answers[0]?.text, answers[1]?.text]).toMatchObject([
    expect.stringContaining('--may apply'),
    expect.stringContaining(`--may ${repo}`),
  ]);
  expect(existsSync(suppressions(world))).toBe(false);
  expect((await world.ask(`${here}/dismissals`, { headers: none })).json()).toEqual({
    dismissals: [],
    open: [],
  });
  expect((await dismiss(world, here, body, all)).status).toBe(201);
  expect((await world.ask(`${here}/dismissals`, { headers: other })).status).toBe(404);
  expect((await world.ask(`${here}/dismissals`, { headers: noRepository })).json()).toEqual({
    dismissals: [],
    open: [],
  });
});
