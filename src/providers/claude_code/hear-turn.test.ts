/**
 * Streams in the shape of claude 2.1.330 (test/fixtures/claude-stream). Keys and order are the program's, all values
 * are made up.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { hearTurn, type ClaudeTurnHearing } from './hear-turn.ts';

const streams = resolve(import.meta.dirname, '../../../test/fixtures/claude-stream');
const names = ['text-then-tool', 'healed', 'repeated', 'edit-and-denial'];

function linesOf(name: string): readonly string[] {
  return readFileSync(join(streams, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
}

function hear(lines: readonly string[], costBeforeUsd: number | null = 0) {
  const events: EventBody[] = [];
  const heard: ClaudeTurnHearing = hearTurn({
    model: null,
    costBeforeUsd,
    emit: (event) => events.push(event),
    watch: { begun: () => {}, requested: () => {}, heardModel: () => {} },
  });
  for (const line of lines) heard.hear(line);
  heard.close('end_turn', null);
  return { events, heard, ...pickers(events) };
}

function pickers(events: readonly EventBody[]) {
  return {
    types: events.map(({ type }) => type),
    texts: events.flatMap((event) => (event.type === 'text.end' ? [event.text] : [])),
    deltas: events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : [])),
  };
}

test('streamed text and calls are emitted once, although the whole blocks follow', () => {
  const { types, texts, deltas, events } = hear(linesOf('text-then-tool'));
  expect([texts, deltas.join('|')]).toEqual([['first', 'second'], 'fir|st|sec|ond']);
  expect(types).toEqual([
    'turn.started',
    'text.start',
    'text.delta',
    'text.delta',
    'text.end',
    'tool.input',
    'tool.input',
    'tool.call',
    'tool.status',
    'tool.status',
    'tool.result',
    'text.start',
    'text.delta',
    'text.delta',
    'text.end',
    'usage',
    'context',
    'turn.ended',
  ]);
  expect(events.find(({ type }) => type === 'tool.call')).toMatchObject({
    name: 'Glob',
    args: { pattern: '*' },
    summary: '*',
  });
});

test('without partial messages the same texts and calls are emitted from the whole blocks', () => {
  const whole = hear(linesOf('text-then-tool').filter((line) => !line.includes('"type":"stream_event"')));
  expect(whole.texts).toEqual(['first', 'second']);
  expect(whole.types.filter((type) => type === 'tool.call')).toHaveLength(1);
});

test('a block that the program gave up is closed, and its replacement is a new block', () => {
  const { texts } = hear(linesOf('healed'));
  expect(texts).toEqual(['half ', 'half of it']);
});

test('usage is the turn’s sum with its own price; the context is that of the last call', () => {
  const { events, heard } = hear(linesOf('text-then-tool'));
  const usage = {
    model: 'claude-opus-5-5',
    input: 240,
    output: 68,
    cache_read: 4000,
    cache_write_5m: 2000,
    cache_write_1h: 0,
    reasoning: 0,
    cost: 0.01312,
    cost_basis: 'reported',
  };
  expect(heard.usage()).toEqual(usage);
  expect(events.filter(({ type }) => type === 'usage')).toEqual([{ type: 'usage', ...usage }]);
  expect(events.find(({ type }) => type === 'context')).toEqual({
    type: 'context',
    tokens: 3154,
    max: 1_000_000,
  });
});

test('the earlier price of a session is subtracted; if it is unknown, so is the turn’s', () => {
  expect(hear(linesOf('text-then-tool'), 0.01).heard.usage()?.cost).toBeCloseTo(0.00312, 6);
  expect(hear(linesOf('text-then-tool'), null).heard.usage()).toMatchObject({
    cost: null,
    cost_basis: 'unknown',
  });
});

test('a retry by the program is an error that ends nothing; the text of an error is not an answer', () => {
  const { events, texts } = hear(linesOf('repeated'));
  expect(events.find(({ type }) => type === 'error')).toEqual({
    type: 'error',
    kind: 'overloaded',
    message: 'Claude Code repeats a request by itself (overloaded 529)',
    retryable: true,
    repeat_in_ms: 500,
  });
  expect(texts).toEqual([]);
});

test('an edit names the changed file, a refused call its denial', () => {
  const { events } = hear(linesOf('edit-and-denial'));
  expect(events.filter(({ type }) => type === 'file.changed')).toEqual([
    { type: 'file.changed', path: 'src/a.ts', kind: 'update' },
  ]);
  expect(events.filter(({ type }) => type === 'permission')).toEqual([
    { type: 'permission', call_id: 'toolu_3', decision: 'deny', by: 'policy' },
  ]);
  const results = events.flatMap((event) => (event.type === 'tool.result' ? [event.is_error] : []));
  expect(results).toEqual([false, false, true]);
});

test.each(names)('wherever %s is cut, every block has its end and every call its result', (name) => {
  const lines = linesOf(name);
  for (let length = 0; length <= lines.length; length += 1) {
    const { types, texts, deltas } = hear(lines.slice(0, length));
    const count = (type: string) => types.filter((each) => each === type).length;
    expect(count('text.end')).toBe(count('text.start'));
    expect(count('tool.result')).toBe(count('tool.call'));
    expect(texts.join('')).toBe(deltas.join(''));
    expect(types.at(-1)).toBe('turn.ended');
  }
});

test('a sub-agent of the lead starts and ends; its own text is not the lead’s', () => {
  const id = 'toolu_agent';
  const input = { subagent_type: 'Explore', description: 'look around', prompt: 'look' };
  const call = { type: 'tool_use', id, name: 'Task', input };
  const theirs = { type: 'text', text: 'I am somebody else' };
  const result = { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'found it' }] };
  const { events, texts } = hear(
    [
      { type: 'assistant', parent_tool_use_id: null, message: { id: 'msg_1', content: [call] } },
      { type: 'assistant', parent_tool_use_id: id, message: { id: 'msg_2', content: [theirs] } },
      { type: 'user', parent_tool_use_id: null, message: { content: [result] } },
    ].map((line) => JSON.stringify(line)),
  );
  expect(texts).toEqual([]);
  expect(events.filter(({ type }) => type.startsWith('agent.'))).toEqual([
    { type: 'agent.started', agent_id: id, agent_type: 'Explore', description: 'look around' },
    { type: 'agent.ended', agent_id: id, status: 'completed', preview: 'found it' },
  ]);
  expect(events.filter(({ type }) => type === 'raw')).toHaveLength(1);
});
