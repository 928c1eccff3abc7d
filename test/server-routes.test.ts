import { expect, test } from 'vitest';
import { wholeAnswer } from '../src/runs/rehearsed-review.test-helper.ts';
import { serveWorld, type ServedWorld } from './served-world.ts';

const conversations = '/api/tenants/local/conversations';
const base = `${conversations}/first`;

test('a review is begun by its fields, followed record by record, and looked at', async () => {
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

test('a reader goes on behind the record that it has, and has nothing to wait for at the end', async () => {
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

async function beginReview({ ask }: ServedWorld, fields: object = {}): Promise<string> {
  const begun = await ask(`${base}/runs`, { method: 'POST', body: { kind: 'review', ...fields } });
  expect(begun.status).toBe(201);
  return begun.headers.location ?? '';
}
