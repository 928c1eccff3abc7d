/** A review in a conversation of the installed server: each exchange with the advisor is a sub-agent of the stream. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createFrameReader } from '../../src/client/read-frames.ts';
import { streamedEvent } from '../../src/client/streamed-event.test-helper.ts';
import { formOf } from '../../src/server/served.test-helper.ts';
import type { StreamingEvent } from '../../src/views/stream/event.ts';
import { isPingEvent } from '../../src/views/stream/guards.ts';
import { assertLawful } from '../../src/views/stream/laws.test-helper.ts';
import { example } from '../packed/place.ts';
import { serve, streamOf } from '../packed/serve/served.ts';
import { shared } from '../packed/shared-place.ts';
import { named } from './lived-world.ts';

const clean =
  '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- `total` is clear\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n';
const script = {
  turns: [
    {
      when: { chunk: 2 },
      messages: [
        { text: 'I look.' },
        { tool: { name: 'Grep', input: { pattern: 'total' }, output_lines: 2 } },
      ],
      answer: clean,
    },
    { when: { chunk: 3 }, repeat: 'forever', fault: 'empty' },
    { answer: clean, repeat: 'forever' },
  ],
};

const events = shared(async (place) => {
  place.write('script.yaml', stringify(script));
  place.write('checkout.diff', readFileSync(example('checkout.diff')));
  place.write('own.yaml', 'chunk_tokens: 700\nconcurrency: 2\n');
  const served = await serve(place, ['--advisor', 'rehearsal:script.yaml', '--config', 'own.yaml']);
  const response = await fetch(streamOf(served, 'reviewed'), {
    method: 'POST',
    body: formOf('/review checkout.diff'),
  });
  const frames = createFrameReader().feed(new Uint8Array(await response.arrayBuffer()));
  return frames.map(streamedEvent).filter((event) => !isPingEvent(event));
});

const agentOf = (event: StreamingEvent) =>
  'parent_agent_id' in event.data ? event.data.parent_agent_id : undefined;

test('R002-16.1-3 X002-18.4 X002-21.2 each exchange starts a sub-agent Codex with the id of its model', () => {
  assertLawful(events());
  const starts = named(events(), 'subagent_start').map(({ data }) => data);
  expect(starts.map(({ agent_id }) => agent_id)).toEqual([1, 2, 3, 4].map((chunk) => `ex_chunk-${chunk}`));
  for (const start of starts) {
    expect(start).toMatchObject({ agent_type: 'Codex', model: expect.stringMatching(/script\.yaml$/) });
    expect(start.description).toMatch(/\S/);
    expect(start).not.toHaveProperty('parent_agent_id');
  }
});

test('R002-17.1-3 each of them ends once, with the beginning of its answer or as an error', () => {
  const ends = new Map(named(events(), 'subagent_end').map(({ data }) => [data.agent_id, data]));
  expect(named(events(), 'subagent_end')).toHaveLength(4);
  for (const chunk of [1, 2, 4]) {
    const end = ends.get(`ex_chunk-${chunk}`);
    expect(end).toMatchObject({ agent_type: 'Codex', status: 'completed' });
    expect(end?.result_preview).toMatch(/^(?:I look\.)?\[RESPONSE:REVIEW\]/);
  }
  expect(ends.get('ex_chunk-3')).toMatchObject({ agent_type: 'Codex', status: 'error' });
  expect(ends.get('ex_chunk-3')).not.toHaveProperty('result_preview');
});

test('R002-24.1,2 what a sub-agent says and does names it, between its start and its end', () => {
  const own = events().filter((event) => agentOf(event) === 'ex_chunk-2');
  expect(new Set(own.map(({ event }) => event))).toEqual(
    new Set(['progress', 'assistant', 'tool_call', 'tool_result']),
  );
  expect(named(own, 'tool_call').map(({ data }) => data)).toMatchObject([
    { tool_name: 'Grep', input: { pattern: 'total' }, summary: 'パターン検索: total' },
  ]);
  const place = (name: string) =>
    events().findIndex(
      ({ event, data }) => event === name && 'agent_id' in data && data.agent_id === 'ex_chunk-2',
    );
  const places = own.map((event) => events().indexOf(event));
  expect(Math.min(...places)).toBeGreaterThan(place('subagent_start'));
  expect(Math.max(...places)).toBeLessThan(place('subagent_end'));
});

test('X002-20.1,2 optional fields are left out; null is an action, a result and errors alone', () => {
  const nulls = events().flatMap(({ data }) =>
    Object.entries(data).flatMap(([key, value]) => (value === null ? [key] : [])),
  );
  expect(['recommended_action', 'result', 'errors']).toEqual(expect.arrayContaining([...new Set(nulls)]));
  const [done] = named(events(), 'done').map(({ data }) => data);
  expect(done).toMatchObject({ errors: null });
});
