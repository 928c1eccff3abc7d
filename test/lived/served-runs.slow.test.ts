/** Runs of the installed server without a vendor: a rehearsed lead, and the flow that specification 002 draws. */
import { stringify } from 'yaml';
import { createFrameReader } from '../../src/client/read-frames.ts';
import { streamedEvent } from '../../src/client/streamed-event.test-helper.ts';
import { executor, formOf } from '../../src/server/served.test-helper.ts';
import { isPingEvent } from '../../src/views/stream/guards.ts';
import { assertLawful } from '../../src/views/stream/laws.test-helper.ts';
import { ended, eventStream, started, used } from '../fixtures/screens/event-streams.ts';
import { drawnAfter, drawnBefore, drawnLines } from '../fixtures/streaming/drawn-flow.ts';
import { test } from '../packed/place.ts';
import { beginWrittenRun, serve, streamOf } from '../packed/serve/served.ts';
import { named } from './lived-world.ts';

test('X002-4.3 X002-6.1 X002-23.2,3 of a model of unknown size and price no context is shown, and a cost of "0" that is not known', async ({
  place,
  expect,
}) => {
  const turn = { when: { work: 'converse' }, answer: 'Done.', usage: { input: 9, output: 1 } };
  place.write('script.yaml', stringify({ turns: [turn] }));
  const served = await serve(place, ['--lead', 'rehearsal:script.yaml']);
  const response = await fetch(streamOf(served, 'unknown'), { method: 'POST', body: formOf('Go.') });
  const events = createFrameReader()
    .feed(new Uint8Array(await response.arrayBuffer()))
    .map(streamedEvent);
  expect(named(events, 'context_status')).toEqual([]);
  expect(named(events, 'done')[0]?.data).toMatchObject({ cost_usd: '0', cost_known: false });
});

test('R002-39 X000-7.2 a rehearsed failure has the type of a real one, in the language of the stream', async ({
  place,
  expect,
}) => {
  const turns = ['auth', 'model', 'quota'].map((code) => ({
    when: { work: 'converse', contains: code },
    fault: 'unavailable',
    code,
  }));
  place.write('script.yaml', stringify({ turns }));
  const served = await serve(place, ['--lead', 'rehearsal:script.yaml', '--language', 'ja']);
  const types: unknown[] = [];
  for (const code of ['auth', 'model', 'quota']) {
    const response = await fetch(streamOf(served, code), { method: 'POST', body: formOf(code) });
    const frames = createFrameReader().feed(new Uint8Array(await response.arrayBuffer()));
    const [error] = named(frames.map(streamedEvent), 'error').map(({ data }) => data);
    expect(error?.message).toMatch(/^[ぁ-んァ-ヶ一-龠ーA-Z、]+/);
    types.push(error?.error_type);
  }
  expect(types).toEqual(['options_error', 'model_validation_error', 'execution_error']);
});

test('XB-2 a call that a cancel ends has a result before the run has its end', async ({ place, expect }) => {
  // The shell's own command, since PATH has few programs: it waits for a pipe that has no end.
  const call = { name: 'Bash', input: { command: 'read -r <> <(:)' } };
  const turn = { when: { work: 'converse' }, messages: [{ call }], answer: 'Done.' };
  place.write('script.yaml', stringify({ turns: [turn] }));
  place.write('rules.yaml', 'tools: { policy: { Bash: allow } }\n');
  const served = await serve(place, ['--lead', 'rehearsal:script.yaml', '--config', 'rules.yaml']);
  const url = streamOf(served, 'cancelled');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ user_input: 'Go.', executor });
  const reader = createFrameReader();
  const events = [];
  for await (const chunk of (await fetch(url, { method: 'POST', body, headers })).body ?? []) {
    const arrived = reader.feed(chunk).map(streamedEvent);
    events.push(...arrived);
    if (arrived.some(({ event }) => event === 'tool_call'))
      expect((await fetch(url.replace(/stream$/, 'cancel'), { method: 'POST' })).status).toBe(202);
  }
  expect(named(events, 'tool_result').map(({ data }) => data)).toMatchObject([
    { tool_use_id: named(events, 'tool_call')[0]?.data.tool_use_id, is_error: true },
  ]);
  expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'cancelled' } });
});

test('R002-28 X002-31 R002-7 the drawn flow: seq 1 to 14, and a ping of seq 0 after the eighth', async ({
  place,
  expect,
}) => {
  const run = eventStream([
    started({ session_id: 'session-uuid-from-sdk', model: 'claude-opus-5-5', tools: ['Read'] }),
    ...drawnBefore,
    ...drawnAfter,
    used(1000, 500, 0.0075),
    { type: 'turn.ended', stop_reason: 'end_turn', usage: null },
    { type: 'title', title: '生成されたタイトル' },
    ended(5230),
  ]);
  const served = await serve(place, ['--lead', 'none']);
  const { write } = beginWrittenRun(place, 'drawn', 'run-1');
  write(run.slice(0, drawnBefore.length + 1));
  const reader = createFrameReader();
  const events = [];
  for await (const chunk of (await fetch(streamOf(served, 'drawn'))).body ?? []) {
    const arrived = reader.feed(chunk).map(streamedEvent);
    events.push(...arrived);
    if (arrived.some(isPingEvent)) write(run.slice(drawnBefore.length + 1));
  }
  const progress = events.map(({ event, data }) =>
    [
      event,
      data.seq,
      ...('tool_status' in data ? [data.type, data.tool_status] : 'type' in data ? [data.type] : []),
    ].join(' '),
  );
  expect(progress).toEqual(drawnLines);
  assertLawful(events.filter((event) => !isPingEvent(event)));
});
