import { expect, test } from 'vitest';
import { answered, called, eventStream } from '../../../test/fixtures/screens/event-streams.ts';
import type { StreamingEvent } from './event.ts';
import { createStreamingOpenings } from './open-agents-and-tools.ts';
import type { Saying, SpeakerId } from './pending-event.ts';
import { streamingWords } from './phrases.ts';

type Openings = ReturnType<typeof createStreamingOpenings>;

function opened(): Openings {
  return createStreamingOpenings(streamingWords('en'));
}

function call(openings: Openings, id: string, { speaker, step }: Within = {}): readonly string[] {
  const body = called(id, 'Bash', { command: id });
  const [event] = eventStream([step === undefined ? body : { body, step }]);
  if (event?.type !== 'tool.call') throw new Error('no call');
  return lines(openings.call(event, speaker));
}

function answer(openings: Openings, id: string, text: string, isError = false): readonly string[] {
  const [event] = eventStream([answered(id, 'Bash', text, isError)]);
  if (event?.type !== 'tool.result') throw new Error('no result');
  return lines(openings.answer(event));
}

function start(openings: Openings, id: string, { speaker, step }: Within = {}): readonly string[] {
  const agent = { agent_id: id, agent_type: 'Explore', description: '' };
  return lines(openings.start(agent, { speaker, step }));
}

interface Within {
  readonly speaker?: SpeakerId;
  readonly step?: string;
}

/** The kind, the id, the status and the text of each event, below the agent that it names. */
function lines(sayings: readonly Saying[]): readonly string[] {
  return sayings.map((saying) => line(saying({ seq: 1, timestamp: '2026-11-21T09:30:00.000000Z' })));
}

function line(event: StreamingEvent): string {
  const { data } = event;
  const parent = 'parent_agent_id' in data ? `${data.parent_agent_id} > ` : '';
  return `${parent}${[event.event, ...wordsOf(event)].join(' ')}`;
}

function wordsOf({ event, data }: StreamingEvent): readonly string[] {
  switch (event) {
    case 'progress':
      return [data.tool_use_id ?? '', data.tool_status ?? ''];
    case 'tool_call':
      return [data.tool_use_id];
    case 'tool_result':
      return [data.tool_use_id, data.status, data.content];
    case 'subagent_start':
      return [data.agent_id];
    case 'subagent_end':
      return [data.agent_id, data.status, data.result_preview ?? 'without a text'];
    default:
      return [];
  }
}

test('R002-25 a call that is announced twice opens once, and runs once', () => {
  const openings = opened();
  expect(call(openings, 'c')).toEqual(['progress c pending', 'tool_call c']);
  expect(call(openings, 'c')).toEqual([]);
  expect(lines(openings.run('c'))).toEqual(['progress c running']);
  expect(lines(openings.run('c'))).toEqual([]);
  expect(answer(openings, 'c', 'done')).toEqual(['progress c completed', 'tool_result c completed done']);
  expect(answer(openings, 'c', 'again')).toEqual([]);
  expect(lines(openings.closeAll())).toEqual([]);
});

test('an answer without a call ends no agent of its id', () => {
  const openings = opened();
  start(openings, 'a');
  expect(answer(openings, 'a', 'late')).toEqual([]);
  expect(lines(openings.finish('a', { status: 'completed', text: 'found' }))).toEqual([
    'subagent_end a completed found',
  ]);
  expect(lines(openings.finish('a', { status: 'completed' }))).toEqual([]);
});

test('X002-18.2 the answer of a call ends the agent that it started, with the same status and text', () => {
  const openings = opened();
  call(openings, 'task');
  start(openings, 'task');
  call(openings, 'inner', { speaker: 'task' });
  expect(answer(openings, 'task', 'failed', true)).toEqual([
    'task > progress inner running',
    'task > progress inner error',
    'task > tool_result inner error interrupted',
    'subagent_end task error failed',
    'progress task running',
    'progress task error',
    'tool_result task error failed',
  ]);
});

test('an agent that ends closes what it and its agents opened, the last first, and nothing of others', () => {
  const openings = opened();
  call(openings, 'mine');
  start(openings, 'outer');
  start(openings, 'inner', { speaker: 'outer' });
  call(openings, 'deep', { speaker: 'inner' });
  openings.run('deep');
  call(openings, 'flat', { speaker: 'outer' });
  openings.run('flat');
  expect(lines(openings.finish('outer', { status: 'completed' }))).toEqual([
    'outer > progress flat error',
    'outer > tool_result flat error interrupted',
    'inner > progress deep error',
    'inner > tool_result deep error interrupted',
    'outer > subagent_end inner error without a text',
    'subagent_end outer completed without a text',
  ]);
  expect(answer(openings, 'mine', 'ok').at(-1)).toBe('tool_result mine completed ok');
});

test('X002-18.2 a run that stops closes every open call and agent, the last first, once', () => {
  const openings = opened();
  call(openings, 'first');
  openings.run('first');
  start(openings, 'agent');
  call(openings, 'last', { speaker: 'agent' });
  expect(lines(openings.closeAll())).toEqual([
    'agent > progress last running',
    'agent > progress last error',
    'agent > tool_result last error interrupted',
    'subagent_end agent error without a text',
    'progress first error',
    'tool_result first error interrupted',
  ]);
  expect(lines(openings.closeAll())).toEqual([]);
});

test('a lost attempt closes what its step opened, and the call can be opened again', () => {
  const openings = opened();
  call(openings, 'kept', { step: 's1' });
  call(openings, 'lost', { step: 's2' });
  start(openings, 'agent', { step: 's2' });
  expect(lines(openings.abandon('s2'))).toEqual([
    'subagent_end agent error without a text',
    'progress lost running',
    'progress lost error',
    'tool_result lost error interrupted',
  ]);
  expect(call(openings, 'lost', { step: 's2' })).toEqual(['progress lost pending', 'tool_call lost']);
  expect(start(openings, 'agent', { step: 's2' })).toEqual(['subagent_start agent']);
  expect(start(openings, 'agent', { step: 's2' })).toEqual([]);
  expect(answer(openings, 'kept', 'ok').at(-1)).toBe('tool_result kept completed ok');
});
