import { expect, test } from 'vitest';
import type { EventBody } from '../events/collab-event.ts';
import { createTurnEvents } from './turn-events.ts';

const usage = {
  model: 'm',
  input: 1,
  output: 1,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cost: null,
  cost_basis: 'unknown' as const,
};

function turn({ followUp = false } = {}) {
  const events: EventBody[] = [];
  return { events, model: createTurnEvents({ prefix: 'p', followUp, emit: (event) => events.push(event) }) };
}

test('a turn that is cut off ends its open texts and thoughts before itself, once', () => {
  const { events, model } = turn();
  model.hear({ kind: 'thinking', block: 0, text: 'hm' });
  model.hear({ kind: 'text', block: 1, text: 'so ' });
  model.hear({ kind: 'text', block: 1, text: 'it is' });
  model.close('aborted', null);
  model.close('end_turn', usage);
  model.hear({ kind: 'text', block: 2, text: 'late' });
  expect(events).toEqual([
    { type: 'turn.started' },
    { type: 'thinking.delta', block_id: 'p/0', text: 'hm' },
    { type: 'text.start', block_id: 'p/1', follow_up: false },
    { type: 'text.delta', block_id: 'p/1', text: 'so ' },
    { type: 'text.delta', block_id: 'p/1', text: 'it is' },
    { type: 'text.end', block_id: 'p/1', text: 'so it is' },
    { type: 'thinking.end', block_id: 'p/0' },
    { type: 'turn.ended', stop_reason: 'aborted', usage: null },
  ]);
});

test('a part ends once, and one that never began has no end, except a redacted thought', () => {
  const { events, model } = turn({ followUp: true });
  model.hear({ kind: 'begun' });
  model.hear({ kind: 'text_end', block: 5 });
  model.hear({ kind: 'thinking_end', block: 5, redacted: false });
  model.hear({ kind: 'thinking_end', block: 6, redacted: true });
  model.hear({ kind: 'thinking', block: 0, text: 'hm' });
  model.hear({ kind: 'thinking_end', block: 0, redacted: false });
  model.hear({ kind: 'text', block: 1, text: 'so' });
  model.hear({ kind: 'text_end', block: 1 });
  model.close('end_turn', usage);
  expect(events).toEqual([
    { type: 'turn.started' },
    { type: 'thinking.end', block_id: 'p/6', redacted: true },
    { type: 'thinking.delta', block_id: 'p/0', text: 'hm' },
    { type: 'thinking.end', block_id: 'p/0' },
    { type: 'text.start', block_id: 'p/1', follow_up: true },
    { type: 'text.delta', block_id: 'p/1', text: 'so' },
    { type: 'text.end', block_id: 'p/1', text: 'so' },
    { type: 'usage', ...usage },
    { type: 'turn.ended', stop_reason: 'end_turn', usage },
  ]);
});

test('a turn of which the model sent nothing has no events, but its usage counts', () => {
  const { events, model } = turn();
  model.hear({ kind: 'alive' });
  model.close('error', usage);
  expect(events).toEqual([{ type: 'usage', ...usage }]);
});

test('pictures and components are passed on', () => {
  const { events, model } = turn();
  model.hear({ kind: 'media', media: 'image', mimeType: 'image/png', data: 'AA==' });
  model.hear({ kind: 'ui', component: { type: 'card' } });
  expect(events).toEqual([
    { type: 'turn.started' },
    { type: 'media', kind: 'image', mime_type: 'image/png', data: 'AA==' },
    { type: 'ui', component: { type: 'card' } },
  ]);
});
