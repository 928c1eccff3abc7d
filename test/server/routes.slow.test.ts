import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { rehearse, wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { executor } from '../../src/server/served.test-helper.ts';
import { beginReview, openQuestion, serveWorld, type Answer } from './served-folder.ts';

const conversations = '/api/tenants/local/conversations';
const base = `${conversations}/first`;

test('a review is started by its fields, followed record by record, and inspected', async () => {
  const world = await serveWorld({ turns: [{ answer: wholeAnswer }] });
  const { ask } = world;
  const run = await beginReview(world);
  const events = await ask(`${run}/events`);
  expect(events.text).toMatch(/^retry: 2000\n\nid: 1\ndata: \{.*"type":"run\.started"/);
  expect(events.text).toMatch(/"type":"run\.ended".*\n\n$/);
  const summary = {
    run_id: run.split('/').at(-1),
    conversation_id: 'first',
    kind: 'review',
    title: 'the working tree',
    state: 'ended',
    outcome: 'clean',
    status: 'success',
  };
  const lastSeq = [...events.text.matchAll(/^id: (\d+)$/gm)].length;
  expect((await ask(run)).json()).toMatchObject({
    ...summary,
    result: { schema: 'collab.review/v1', outcome: 'clean' },
    questions: [],
    last_seq: lastSeq,
  });
  expect((await ask(`${base}/runs`)).json()).toMatchObject({ runs: [summary], next: null });
  expect((await ask(base)).json()).toMatchObject({ conversation_id: 'first', runs: [summary], messages: [] });
  expect((await ask(conversations)).json()).toMatchObject({
    conversations: [{ conversation_id: 'first', running_run_id: null, can_continue: true }],
    next: null,
  });
  expect((await ask(`${run}/diff`)).text).toContain('+export const total = 2;');
  const prompt = /"prompt_ref":"([0-9a-f]{64})"/.exec(events.text)?.[1] ?? '';
  expect((await ask(`${run}/blobs/${prompt}`)).text).toContain('[REQUEST:REVIEW]');
  expect(world.faults).toEqual([]);
});

test('a reader continues after its last record, and stops at the end', async () => {
  const world = await serveWorld({ turns: [{ answer: wholeAnswer }] });
  const run = await beginReview(world);
  const whole = (await world.ask(`${run}/events`)).text;
  const rest = await world.ask(`${run}/events`, { headers: { 'last-event-id': '3' } });
  expect(rest.text).toBe(whole.replace(/id: 1\n[^]*(?=id: 4\n)/, ''));
  const lastSeq = [...whole.matchAll(/^id: /gm)].length;
  const [all, wrong] = [
    await world.ask(`${run}/events?after=${lastSeq}`),
    await world.ask(`${run}/events?after=x`),
  ];
  expect([all.status, wrong.status]).toEqual([204, 400]);
});

test('a run’s question is answered by words or by fields, once; then the run continues by itself', async () => {
  const asks = { answer: '[CONSULT:CLAUDE:VERIFICATION]\n\nIs the total an integer?\n' };
  const world = await serveWorld({ turns: [asks, asks, { answer: wholeAnswer }] });
  const run = await beginReview(world, { lead: 'caller' });
  const events = world.ask(`${run}/events`);
  const first = await openQuestion(world, run);
  expect(first).toMatchObject({ kind: 'reverse', text: expect.stringContaining('an integer?') });
  expect((await world.ask(conversations)).json()).toMatchObject({
    conversations: [{ running_run_id: run.split('/').at(-1) }],
  });
  const answer = async (name: string, value: unknown) => {
    const path = `${run}/answers/${encodeURIComponent(name)}`;
    return (await world.ask(path, { method: 'POST', body: { value } })).status;
  };
  expect(await answer('nothing/like/that', 'x')).toBe(404);
  expect(await answer(first.name, 'approve')).toBe(422);
  expect(await answer(first.name, { VERDICT: 'perhaps', REASON: 'x' })).toBe(422);
  expect((await world.ask(`${run}/answers/${first.name}`, { method: 'POST', body: {} })).status).toBe(422);
  expect(await answer(first.name, { VERDICT: 'approve', REASON: 'It is.' })).toBe(202);
  expect(await answer(first.name, { VERDICT: 'approve', REASON: 'It is.' })).toBe(409);
  const second = await openQuestion(world, run, first.name);
  expect(await answer(second.name, '## VERDICT\n\nrevise\n\n## REASON\n\nIt is not.')).toBe(202);
  const { text } = await events;
  expect(text).toContain('"value":{"VERDICT":"revise","REASON":"It is not."}');
  expect((await world.ask(run)).json()).toMatchObject({ state: 'ended', outcome: 'clean', questions: [] });
  expect(await answer(second.name, 'approve')).toBe(409);
});

test('a waiting run is canceled, its conversation is free again, and a second cancel is refused', async () => {
  const asks = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n' };
  const world = await serveWorld({ turns: [asks, { answer: wholeAnswer }] });
  const run = await beginReview(world, { lead: 'caller' });
  await openQuestion(world, run);
  const post = (path: string, body: object) => world.ask(path, { method: 'POST', body });
  const locked = await post(`${base}/runs`, { kind: 'review' });
  expect([locked.status, locked.json()]).toEqual([409, expect.objectContaining({ title: 'Conflict' })]);
  const [first, second] = [await post(`${run}/cancel`, {}), await post(`${run}/cancel`, {})];
  expect([first.status, second.status]).toEqual([202, 409]);
  expect((await world.ask(run)).json()).toMatchObject({ state: 'ended', status: 'cancelled' });
  await beginReview(world);
});

test('R002-9 R002-10.1 X002-25.3 the stream route takes a form with request_data, and the same object as JSON', async () => {
  const world = await serveWorld({ turns: [{ repeat: 'forever', answer: wholeAnswer }] });
  const request = {
    user_input: '/review',
    executor,
    preferred_skills: [],
  };
  const boundary = 'part-of-a-form';
  const form = `--${boundary}\r\ncontent-disposition: form-data; name="request_data"\r\n\r\n${JSON.stringify(request)}\r\n--${boundary}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const byForm = await world.ask(`${base}/stream`, { method: 'POST', body: form, headers });
  const asJson = await world.ask(`${base}/stream`, { method: 'POST', body: request });
  expect([byForm, asJson].map(({ text }) => /event: done\n.*"status":"success"/s.test(text))).toEqual([
    true,
    true,
  ]);
});

test('requests that the command line refuses are refused here, and a wrong field with the nearest right one', async () => {
  const { ask } = await serveWorld();
  const refusal = async (body: object) => {
    const { status, text } = await ask(`${base}/runs`, { method: 'POST', body });
    const { detail, hint } = JSON.parse(text);
    return [status, detail, hint];
  };
  expect(await refusal({ kind: 'review', fail_onn: 'minor' })).toEqual([
    422,
    'unknown key fail_onn',
    'Did you mean fail_on?',
  ]);
  expect(await refusal({ kind: 'review', input: { range: 'nowhere...HEAD' } })).toEqual([
    422,
    expect.stringContaining('nowhere'),
    expect.anything(),
  ]);
  expect(await refusal({ kind: 'review', input: { diff: 'no diff' } })).toEqual([
    422,
    'standard input contains no unified diff',
    expect.stringContaining('git diff'),
  ]);
  expect(await refusal({ kind: 'run', task: 'x', phases: ['review'] })).toEqual([
    422,
    expect.stringContaining('a review needs an implementation'),
    'add implementation to phases, or use collab review',
  ]);
  expect(await refusal({ kind: 'review', verify: true, lead: 'none' })).toEqual([
    422,
    expect.stringMatching(/^verify needs an agent that checks the findings/),
    expect.stringContaining('omit verify'),
  ]);
});

test('a field chooses the rules of a review', async () => {
  const world = await serveWorld();
  writeFileSync(join(world.root, 'total.ts'), 'export const isTwo = (total: number) => total == 2;\n');
  const found = async (fields: object): Promise<string> => {
    const run = await beginReview(world, { advisor: 'static_review', ...fields });
    await world.ask(`${run}/events`);
    return (await world.ask(run)).text;
  };
  const wide = await found({ rules: 'all' });
  expect(wide).toContain('A loose comparison');
  expect(await found({ rules: 'default' })).not.toContain('A loose comparison');
  expect(await found({})).not.toContain('A loose comparison');
});

test('command line runs belong to the tenant local, each a conversation of its own', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  await review.drive();
  const world = await serveWorld({ root: review.cwd });
  const id = review.runFolder.split('/').at(-1) ?? '';
  const listed = { run_id: id, conversation_id: id, kind: 'review', state: 'ended', outcome: 'clean' };
  expect((await world.ask(`${conversations}/${id}`)).json()).toMatchObject({
    conversation_id: id,
    runs: [listed],
  });
  expect((await world.ask(`${conversations}/${id}/runs/${id}`)).json()).toMatchObject(listed);
  expect((await world.ask(`/api/tenants/other/conversations/${id}`)).status).toBe(404);
});

test('lists are paged, with no entry repeated or left out', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  await review.drive();
  const runs = dirname(review.runFolder);
  const ids = ['20261121-093005-aaaa', '20261121-093006-bbbb', '20261121-093007-cccc'];
  for (const id of ids) cpSync(review.runFolder, join(runs, id), { recursive: true });
  const own = basename(review.runFolder);
  const { ask } = await serveWorld({ root: review.cwd });
  const seen: string[] = [];
  for (let next: string | null = ''; next !== null;) {
    const before = next === '' ? '' : `&before=${encodeURIComponent(next)}`;
    const page = pageSchema.parse((await ask(`${conversations}/${own}/runs?limit=2${before}`)).json());
    seen.push(...page.runs.map(({ run_id: id }) => id));
    next = page.next;
  }
  // Copies: their records name the same conversation.
  expect(seen).toEqual([...ids, own].toSorted().toReversed());
  expect((await ask(`${conversations}?limit=0`)).status).toBe(422);
});

const pageSchema = z.object({ runs: z.array(z.object({ run_id: z.string() })), next: z.string().nullable() });

test('the choices for a new run: each agent with its state, and branches only for callers that may read them', async () => {
  const world = await serveWorld();
  const { ask, root, tokens } = world;
  execFileSync('git', ['branch', 'topic'], { cwd: root });
  const bearer = (...grants: readonly string[]) => {
    const { secret } = tokens.create({ tenant: 'acme', label: null, expiresInMs: null, grants });
    return { headers: { authorization: `Bearer ${secret}` } };
  };
  const agentsSchema = z.object({ agents: z.array(z.looseObject({ provider: z.string() })) });
  const namesOf = ({ json }: Answer) => agentsSchema.parse(json()).agents.map(({ provider }) => provider);
  const own = await ask('/api/tenants/local/agents');
  expect(namesOf(own)).toContain('codex');
  expect(own.json()).toMatchObject({
    agents: expect.arrayContaining([
      { provider: 'static_review', roles: ['advisor'], ready: true, detail: null, hint: null },
    ]),
  });
  expect(namesOf(await ask('/api/tenants/acme/agents', bearer()))).toEqual(['static_review']);
  expect(namesOf(await ask('/api/tenants/acme/agents', bearer('advisor:codex')))).toEqual([
    'codex',
    'static_review',
  ]);
  const list = { branches: ['main', 'topic'], more: false, default: 'main', current: 'main' };
  expect((await ask('/api/tenants/local/branches')).json()).toEqual(list);
  const refused = await ask('/api/tenants/acme/branches', bearer());
  expect(refused.status).toBe(403);
  expect(refused.text).not.toContain('topic');
  const granted = await ask('/api/tenants/acme/branches', bearer(`repo:${basename(root)}`));
  expect(granted.json()).toEqual(list);
});
