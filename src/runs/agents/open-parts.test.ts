import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { createOpenParts } from './open-parts.ts';

const thinking: EventBody = { type: 'thinking.delta', block_id: 't', text: 'Hm.' };
const text: EventBody = { type: 'text.start', block_id: 'b', follow_up: false };
const textEnd: EventBody = { type: 'text.end', block_id: 'b', text: '' };
const call: EventBody = {
  type: 'tool.call',
  call_id: 'c',
  name: 'Read',
  display_name: 'Read',
  args: {},
  summary: '',
  trigger: 'agent',
};

test('only the end of a part that began ends an open part, and no other event does', () => {
  const open = createOpenParts();
  expect([textEnd, thinking, text].map((event) => open.isEnd(event))).toEqual([false, false, false]);
  open.note(text);
  expect([textEnd, text, { ...textEnd, block_id: 'other' }].map((event) => open.isEnd(event))).toEqual([
    true,
    false,
    false,
  ]);
  open.note(textEnd);
  expect(open.isEnd(textEnd)).toBe(false);
});

test('a stopped turn ends its open parts but the text, the latest first', () => {
  const open = createOpenParts();
  for (const event of [thinking, text, call]) open.note(event);
  expect(open.ends()).toEqual([
    {
      type: 'tool.result',
      call_id: 'c',
      name: 'Read',
      content: 'collab stopped the turn',
      is_error: true,
      duration_ms: 0,
    },
    { type: 'thinking.end', block_id: 't' },
  ]);
});
