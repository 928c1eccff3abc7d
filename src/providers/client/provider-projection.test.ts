import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { disorderlyStreams } from '../../../test/fixtures/screens/disorderly-streams.ts';
import {
  answered,
  called,
  ended,
  eventStream,
  said,
  screens,
  started,
  used,
} from '../../../test/fixtures/screens/event-streams.ts';
import { arbitraryRun } from '../../events/arbitrary-events.test-helper.ts';
import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import { createSpeakers } from '../../events/speakers.ts';
import { createModerator } from '../../views/screen/interleave.ts';
import { isTerminal, type ProviderEvent } from './provider-event.ts';
import { createProviderProjection } from './provider-projection.ts';

function eventsOf(...bodies: readonly EventBody[]): readonly ProviderEvent[] {
  return projectToProviderEvents(eventStream([started(), ...bodies, ended()]));
}

/** Plays the events of the run's own agent, and ends like the run. */
function projectToProviderEvents(events: Iterable<CollabEvent>): readonly ProviderEvent[] {
  const [moderator, speakers, projection] = [createModerator(), createSpeakers(), createProviderProjection()];
  const ends = {
    success: () => projection.complete(),
    cancelled: () => projection.abort(),
    error: () => projection.fail(),
  };
  const project = (event: CollabEvent): readonly ProviderEvent[] => {
    speakers.note(event);
    if (event.type === 'run.ended') return ends[event.status]();
    return speakers.of(event) === null ? projection.push(event) : [];
  };
  const pushed = [...events].flatMap((event) => moderator.push(event));
  return [...pushed, ...moderator.end()].flatMap(project).concat(projection.fail());
}

function status(name: 'pending' | 'running' | 'completed'): EventBody {
  return { type: 'tool.status', call_id: 'c1', status: name, message: name };
}

function thought(text: string): EventBody {
  return { type: 'thinking.delta', block_id: 't', text };
}

test('R003-30.1 R003-31 R003-37 text and thinking come in pieces, then the whole', () => {
  expect(eventsOf(thought('Hm.'), ...said('Hello there', { size: 6 }))).toEqual([
    { type: 'thinking_chunk', text: 'Hm.' },
    { type: 'text_chunk', text: 'Hello ', is_follow_up: false },
    { type: 'text_chunk', text: 'there', is_follow_up: false },
    { type: 'complete', text: 'Hello there' },
  ]);
});

test('R003-32.1 R003-34 R003-35 a call is reported, run and followed up', () => {
  const running: EventBody = { type: 'tool.status', call_id: 'c1', status: 'running', message: 'searching' };
  expect(
    eventsOf(
      called('c1', 'web_search', { query: 'tea' }),
      running,
      answered('c1', 'web_search', 'found'),
      ...said('Tea.'),
    ),
  ).toEqual([
    {
      type: 'function_call_start',
      function_name: 'web_search',
      tool_name: 'web_search',
      args: { query: 'tea' },
      tool_call_id: 'c1',
    },
    { type: 'tool_progress', tool: 'web_search', message: 'searching', tool_call_id: 'c1' },
    { type: 'function_execution_start', count: 1 },
    {
      type: 'function_execution_complete',
      execution: {
        function_name: 'web_search',
        tool_name: 'web_search',
        args: { query: 'tea' },
        result: { success: true, data: 'found' },
        has_ui: false,
        ui_info: null,
        tool_call_id: 'c1',
      },
    },
    { type: 'sending_function_response' },
    { type: 'text_chunk', text: 'Tea.', is_follow_up: true },
    { type: 'complete', text: 'Tea.' },
  ]);
});

test('R003-33 R003-36 progress is told while a tool runs, and nothing is sent where nothing follows', () => {
  const types = eventsOf(
    called('c1', 'Bash', { command: 'ls' }),
    status('pending'),
    status('running'),
    status('completed'),
    answered('c1', 'Bash', 'a'),
  ).map((event) => (event.type === 'tool_progress' ? event.message : event.type));
  expect(types).toEqual([
    'function_call_start',
    'pending',
    'running',
    'function_execution_start',
    'function_execution_complete',
    'complete',
  ]);
});

test.each([
  [{ type: 'map' }, { has_ui: true }],
  [
    { type: 'map', html_file: 'map.html' },
    { has_ui: true, html_file: 'map.html' },
  ],
  [{ html_file: 7 }, { has_ui: true }],
  ['map', { has_ui: true }],
  [null, { has_ui: true }],
])('R003-32.2 R003-35 a call with the user interface %j says so twice', (ui, info) => {
  const plain = called('c1', 'Map', {});
  const call: EventBody = plain.type === 'tool.call' ? { ...plain, ui } : plain;
  const [start, , complete] = eventsOf(call, answered('c1', 'Map', 'drawn'));
  expect(start).toMatchObject({ type: 'function_call_start' });
  expect(start).toHaveProperty('ui_info', info);
  expect(complete).toMatchObject({ execution: { has_ui: true } });
  expect(complete).toHaveProperty('execution.ui_info', info);
});

test.each([
  ['cancelled', { type: 'aborted', text: 'half', reason: 'user_abort' }],
  [
    'error',
    {
      type: 'error',
      error: 'レート制限に達しました。7秒後に再試行してください。',
      code: 'rate_limit',
      retryable: true,
      retry_after: 7,
    },
  ],
] as const)('R003-38 R003-39 a run that ended as %s says it last', (how, last) => {
  const error: EventBody = {
    type: 'error',
    kind: 'rate_limit',
    message: 'slow down',
    retryable: true,
    retry_after_ms: 6500,
  };
  const end = ended(1234, how);
  const events = projectToProviderEvents(eventStream([started(), ...said('half'), error, end]));
  expect(events.at(-1)).toEqual(last);
});

test('X003-5.1 the usage of a call comes with its text', () => {
  const projection = createProviderProjection();
  const usage = used(10, 5, null);
  if (usage.type !== 'usage') throw new Error('not a usage');
  expect(projection.complete({ usage, stopReason: 'end_turn' })).toEqual([
    {
      type: 'complete',
      text: '',
      model: 'claude-opus-4-20250514',
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_read_tokens: 0,
        cache_write_5m_tokens: 0,
        cache_write_1h_tokens: 0,
      },
    },
  ]);
});

const eventStreams = fc.oneof(disorderlyStreams, arbitraryRun());

test('X003-4.1-3 one terminal event ends every stream, and its text is what was said', () => {
  fc.assert(
    fc.property(eventStreams, (events) => {
      const projected = projectToProviderEvents(events);
      expect(projected.findIndex(isTerminal)).toBe(projected.length - 1);
      const spoken = projected.map((event) => (event.type === 'text_chunk' ? event.text : '')).join('');
      const last = projected.at(-1);
      expect(last !== undefined && 'text' in last ? last.text : spoken).toBe(spoken);
    }),
  );
});

test('X003-6 the count of a batch is the number of executions that follow', () => {
  fc.assert(
    fc.property(eventStreams, (events) => {
      const letters = projectToProviderEvents(events).map(letterOf).join('');
      for (const [, count, executions] of letters.matchAll(/(\d+)(x*)/g)) {
        expect(executions).toHaveLength(Number(count));
      }
      expect(letters.replaceAll(/\d+x+(?:s|$|(?=e))/g, '')).not.toMatch(/[xs]/);
    }),
  );
});

test('the five screens of specification 000 end with a whole text', () => {
  for (const screen of Object.values(screens)) {
    expect(projectToProviderEvents(screen).at(-1)).toMatchObject({ type: 'complete' });
  }
});

function letterOf(event: ProviderEvent): string {
  switch (event.type) {
    case 'function_execution_start':
      return String(event.count);
    case 'function_execution_complete':
      return 'x';
    case 'sending_function_response':
      return 's';
    default:
      return isTerminal(event) ? 'e' : '.';
  }
}
