import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { StreamFrame } from '../../client/read-frames.ts';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { drawnLines } from '../../../test/fixtures/streaming/drawn-flow.ts';
import { drawnTurn, untilRunning } from '../drawn-turn.test-helper.ts';
import { defineTool } from '../../tools/definition/define-tool.ts';
import { z } from 'zod';
import { base, dataOf, formOf, hanging, saying, serveRuns } from '../served.test-helper.ts';

test('R002-27.1 R002-28 X002-16.2 the drawn flow on the wire: seq 1 to 14, and a ping of seq 0 after the eighth', async () => {
  const clock = createManualClock();
  const { turn, release } = drawnTurn();
  const projection = { modelName: () => 'Claude Sonnet 4', contextLength: () => 200_000 };
  const served = await serveRuns({ clock, turns: [turn], projection });

  const stream = await served.post('first', '生成されたタイトル');
  await untilRunning(stream);
  await clock.advance(10_000);
  await stream.until('ping');
  release();
  const frames = await stream.whole;

  expect(frames.map(drawn)).toEqual(drawnLines);
  expect(dataOf(frames[0])).toMatchObject({ model: 'Claude Sonnet 4', conversation_id: 'first', tools: [] });
  expect(dataOf(frames[8])).toMatchObject({ elapsed_ms: 10_000, timestamp: '2026-11-21T09:30:10.000000Z' });
  expect(dataOf(frames[13])).toMatchObject({ current_context_tokens: 17_200, warning_level: 'normal' });
  expect(dataOf(frames.at(-1))).toMatchObject({
    status: 'success',
    result: '完了しました。',
    cost_usd: '0.0075',
    turn_count: 1,
    duration_ms: 10_000,
    usage: { input_tokens: 1500, output_tokens: 500, cache_read_tokens: 200, total_tokens: 2000 },
    model_usage: { 'model-1': { input_tokens: 1500, cost_usd: '0.0075' } },
    messages: [
      { role: 'user', content: '生成されたタイトル' },
      { role: 'assistant', content: '完了しました。' },
    ],
  });
  expect(frames.filter(({ event }) => event !== 'ping').map(({ id }) => id?.replace(/^.*:/, ''))).toEqual(
    Array.from({ length: 14 }, (_item, index) => String(index + 1)),
  );
});

function drawn(frame: StreamFrame): string {
  const { seq, type, tool_status: status } = dataOf(frame);
  return [frame.event, seq, ...(frame.event === 'progress' ? [type, status ?? []].flat() : [])].join(' ');
}

test('R002-1 R002-3 X002-28.1,3 the answer is an event stream that is neither cached nor compressed; timestamps have six digits', async () => {
  const served = await serveRuns();
  const { response, whole } = await served.post('first', 'hello');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  expect(response.headers.get('content-encoding')).toBeNull();
  for (const frame of await whole) {
    expect(dataOf(frame)['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  }
});

test('R002-19 X002-16.1 the title is sent once in a conversation, before the end', async () => {
  const served = await serveRuns();
  const first = await (await served.post('first', 'What is this?\nTell me all.')).whole;
  const second = await (await served.post('first', 'And that?')).whole;
  expect(first.map(({ event }) => event).slice(-2)).toEqual(['title', 'done']);
  expect(dataOf(first.at(-2))['title']).toBe('What is this?');
  expect(second.map(({ event }) => event)).not.toContain('title');
});

test('a secret that the length of a title cuts is masked in it', async () => {
  const served = await serveRuns();
  const { secret = '' } = sampleSecrets.find(({ rule }) => rule === 'github_token') ?? {};
  const frames = await (await served.post('first', `${'a word '.repeat(10)}${secret} is mine.`)).whole;
  expect(dataOf(frames.at(-2))['title']).toBe(`${'a word '.repeat(10)}*********…`);
  expect(JSON.stringify(served.conversations.list('local'))).not.toContain(secret.slice(0, 8));
});

test('R002-22.2 X002-22.1 the messages of done are those of this run', async () => {
  const served = await serveRuns({ turns: [saying('One.'), saying('Two.')] });
  await (
    await served.post('first', 'first question')
  ).whole;
  const frames = await (await served.post('first', 'second question')).whole;
  expect(dataOf(frames.at(-1))['messages']).toMatchObject([
    { role: 'user', content: 'second question' },
    { role: 'assistant', content: 'Two.' },
  ]);
  const [, second] = served.questions;
  expect(second?.thread.map(({ content }) => content)).toEqual(['first question', 'One.', 'second question']);
});

test('R004-1.1 the command of a tool is run as the user wrote it, and the lead reads of it in the next turn', async () => {
  const tool = defineTool({
    name: 'Weigh',
    description: 'Weighs a thing.',
    readOnly: true,
    args: z.strictObject({ thing: z.string() }),
    run: async ({ thing }) => ({ content: `${thing}: 3 kg`, isError: false }),
  });
  const served = await serveRuns({ tools: [tool] });
  const frames = await (await served.post('first', '/Weigh stone')).whole;
  expect(frames.map(({ event }) => event)).toEqual([
    'init',
    'progress',
    'tool_call',
    'progress',
    'progress',
    'tool_result',
    'title',
    'done',
  ]);
  expect(dataOf(frames[5])).toMatchObject({ content: 'stone: 3 kg', is_error: false });
  await (
    await served.post('first', 'Is that much?')
  ).whole;
  expect(served.questions[0]?.thread[0]?.content).toContain('stone: 3 kg');
});

test('X002-18.4 /review starts a review, and Codex is its sub-agent', async () => {
  const served = await serveRuns({
    advisor: [
      { answer: '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- Small.\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n' },
    ],
  });
  const frames = await (await served.post('first', '/review')).whole;
  const start = frames.find(({ event }) => event === 'subagent_start');
  const end = frames.find(({ event }) => event === 'subagent_end');
  expect(dataOf(start)).toMatchObject({ agent_type: 'Codex' });
  expect(dataOf(end)).toMatchObject({ agent_type: 'Codex', status: 'completed' });
  expect(frames.map(({ event }) => event).slice(-2)).toEqual(['title', 'done']);
  expect(dataOf(frames.at(-1))).toMatchObject({ status: 'success', is_error: false });
  expect(served.conversations.list('local')).toMatchObject([
    { conversation_id: 'first', title: '/review', runs: [{ kind: 'review', state: 'ended' }] },
  ]);
});

test('X002-12.2-4 a reader without a place gets the newest run from its first event; one that has all gets 204', async () => {
  const served = await serveRuns();
  const frames = await (await served.post('first', 'hello')).whole;
  const again = await served.open(`${base('first')}/stream`);
  expect(await again.whole).toEqual(frames);
  const last = frames.at(-1)?.id ?? '';
  const behind = await served.open(`${base('first')}/stream?after=${frames[1]?.id}`);
  expect(await behind.whole).toEqual(frames.slice(2));
  const nothing = await served.open(`${base('first')}/stream`, { headers: { 'last-event-id': last } });
  expect(nothing.response.status).toBe(204);
});

test('R002-6 X002-9.5 X002-10.1,2 a run goes on when its reader goes away, and keeps its conversation', async () => {
  const { turn, release } = drawnTurn();
  const served = await serveRuns({ turns: [turn, saying('Hello.')] });
  const stream = await served.post('first', 'hello');
  await untilRunning(stream);
  stream.leave();
  const later = await served.open(`${base('first')}/stream`);
  const refused = await (await served.post('first', 'again')).whole;
  expect(dataOf(refused[0])).toMatchObject({ error_type: 'conversation_locked' });
  // Time enough to end the run, for a server that would.
  await (
    await served.post('second', 'hello')
  ).whole;
  release();
  expect(dataOf((await later.whole).at(-1))).toMatchObject({ status: 'success', result: '完了しました。' });
});

test('X002-10.3 with on_disconnect: cancel the run ends with its reader', async () => {
  const served = await serveRuns({ turns: [hanging('I think')] });
  const stream = await served.post('first', 'hello', { on_disconnect: 'cancel' });
  await stream.until('init');
  const other = await served.open(`${base('first')}/stream`);
  stream.leave();
  expect(dataOf((await other.whole).at(-1))).toMatchObject({ status: 'cancelled', is_error: false });
});

test('X002-25.1,2 files that come with a message are attached to it, and lie under names of ours', async () => {
  const served = await serveRuns();
  const body = formOf('Look at this.');
  body.append('files', new File(['a,b\n1,2\n'], '../../table.csv', { type: 'text/csv' }));
  const stream = await served.open(`${base('first')}/stream`, { method: 'POST', body });
  expect(dataOf((await stream.whole).at(-1))).toMatchObject({ status: 'success' });
  const [attached] = served.questions[0]?.thread[0]?.attachments ?? [];
  expect(attached).toMatchObject({ type: 'file', mime_type: 'text/csv' });
  expect(attached?.url).toMatch(/\/turns\/[\w-]+\/files\/1$/);
  expect(readFileSync(attached?.url ?? '', 'utf8')).toBe('a,b\n1,2\n');

  const many = formOf('And at these.');
  for (let index = 0; index <= 10; index += 1) many.append('files', new File(['x'], `${index}`));
  const refused = await served.open(`${base('first')}/stream`, { method: 'POST', body: many });
  expect(refused.response.status).toBe(413);
});
