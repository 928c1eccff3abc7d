/** Two servers of one folder: what one of them holds, the other can end and answer. */
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { endRun } from '../../src/runs/continue-run.ts';
import { base } from '../../src/server/served.test-helper.ts';
import { systemClock } from '../../src/system/clock.ts';
import { wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { beginReview, openQuestion, serveWorld, type ServedOptions } from './served-folder.ts';

const first = base('first');
const asksBack = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n' };

async function twoServers(options: ServedOptions) {
  const one = await serveWorld(options);
  return { one, other: await serveWorld({ root: one.root }) };
}

function post(body: object = {}) {
  return { method: 'POST', body };
}

test('X002-11.1 a turn that one server drives is canceled at the other, once', async () => {
  const { one, other } = await twoServers({
    turns: [{ when: { role: 'lead', work: 'converse' }, messages: [{ text: 'I think.' }], fault: 'never' }],
  });
  const said = one.say('hello');
  const running = async () => (await other.ask(first)).text;
  await expect.poll(running, { timeout: 20_000 }).toContain('"running_run_id":"');
  const [run = ''] = /(?<="running_run_id":")[^"]+/.exec(await running()) ?? [];
  expect((await other.ask(`${first}/runs/${run}`)).json()).toMatchObject({ state: 'running' });
  expect((await other.ask(`${first}/cancel`, post({ run_id: 'another' }))).status).toBe(409);
  expect((await other.ask(`${first}/cancel`, post({ run_id: run }))).status).toBe(202);
  expect(await said).toContain('"status":"cancelled"');
  expect((await other.ask(`${first}/runs/${run}`)).json()).toMatchObject({
    state: 'ended',
    status: 'cancelled',
  });
  expect((await other.ask(`${first}/cancel`, post())).status).toBe(409);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

test('a question of a run that one server holds is answered at the other, and the run goes on', async () => {
  const { one, other } = await twoServers({ turns: [asksBack, { answer: wholeAnswer }] });
  const run = await beginReview(one, { lead: 'caller' });
  const { name } = await openQuestion(other, run);
  const answer = `${run}/answers/${encodeURIComponent(name)}`;
  const given = post({ value: '## CONTEXT\n\nOnly the yen.' });
  expect((await other.ask(answer, given)).status).toBe(202);
  for (const server of [one, other]) {
    expect((await server.ask(`${run}/events`)).text).toContain('"type":"run.ended"');
    expect((await server.ask(run)).json()).toMatchObject({ state: 'ended', outcome: 'clean' });
  }
  expect((await one.ask(answer, given)).status).toBe(409);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

test('a run that waits at one server is ended at the other, and its conversation is free at both', async () => {
  const { one, other } = await twoServers({ turns: [asksBack, asksBack, { answer: wholeAnswer }] });
  const run = await beginReview(one, { lead: 'caller' });
  await openQuestion(other, run);
  expect((await other.ask(`${first}/runs`, post({ kind: 'review' }))).status).toBe(409);
  expect((await other.ask(`${first}/cancel`, post())).status).toBe(202);
  expect((await one.ask(run)).json()).toMatchObject({ state: 'ended', status: 'cancelled' });
  const next = await beginReview(other, { lead: 'caller' });
  await openQuestion(one, next);
  expect((await one.ask(`${next}/cancel`, post())).status).toBe(202);
  await beginReview(one);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

test('a conversation whose waiting run a third process ended is free again', async () => {
  const one = await serveWorld({ turns: [asksBack, { answer: wholeAnswer }] });
  const run = await beginReview(one, { lead: 'caller' });
  await openQuestion(one, run);
  const runFolder = runFolderNamed(one.root, run);
  await endRun({ runFolder, runId: basename(runFolder), clock: systemClock, env: process.env });
  await beginReview(one);
  expect(one.faults).toEqual([]);
});

function runFolderNamed(root: string, run: string): string {
  return join(root, '.collab', 'runs', basename(run));
}
