import { describe, expect, test } from 'vitest';
import { readEvent } from './read-event.ts';

const base = { timestamp: '2026-11-21T09:30:00.000000Z' };

/** One event of each type with its necessary fields alone. */
const events = {
  init: { session_id: 's', tools: [], model: 'm' },
  thinking: { content: '' },
  assistant: { content_blocks: [] },
  tool_call: { tool_use_id: 'c', tool_name: 'Read', input: {}, summary: '' },
  tool_result: { tool_use_id: 'c', tool_name: 'Read', status: 'completed', content: '' },
  subagent_start: { agent_id: 'a', agent_type: 'Explore', description: '' },
  subagent_end: { agent_id: 'a', agent_type: 'Explore', status: 'completed' },
  progress: { type: 'thinking', message: '' },
  title: { title: '' },
  ping: { elapsed_ms: 1 },
  context_status: {
    current_context_tokens: 1,
    max_context_tokens: 2,
    usage_percent: 50,
    warning_level: 'normal',
    can_continue: true,
  },
  done: { status: 'success', usage: {}, cost_usd: '0', turn_count: 1, duration_ms: 1 },
  error: { error_type: 'timeout_error', message: '', recoverable: true },
};

function read(event: string, data: unknown, id: string | null = null) {
  return readEvent({ event, data: JSON.stringify(data), id });
}

describe.each(Object.entries(events))('an event "%s"', (event, fields) => {
  const data = { seq: 7, ...base, ...fields };

  test('is read with its necessary fields alone', () => {
    expect(read(event, data)).toEqual({ kind: 'event', event: { event, data } });
  });

  test('that lacks one of them, or has one of another type, cannot be read, but is counted', () => {
    for (const [field, value] of Object.entries(fields)) {
      for (const odd of [
        undefined,
        null,
        typeof value === 'string' ? 1 : 'x',
        Array.isArray(value) ? {} : [],
      ]) {
        const found = read(event, { ...data, [field]: odd });
        expect(found, `${field}: ${JSON.stringify(odd)}`).toEqual({
          kind: 'malformed',
          seq: 7,
          message: `the data of an event "${event}" cannot be read`,
        });
      }
    }
  });
});

test('X002-30 an event of an unknown type is counted', () => {
  expect(read('weather', { seq: 7 })).toEqual({ kind: 'unknown', seq: 7 });
});

test('an event without a number, or that is no object, is counted by the id of its frame', () => {
  for (const data of [{ ...base, title: '' }, { seq: '7', title: '' }, [], 7, null]) {
    expect(read('title', data, 'run-1:7')).toMatchObject({ kind: 'malformed', seq: 7 });
    expect(read('title', data)).toMatchObject({ kind: 'malformed', seq: null });
  }
});
