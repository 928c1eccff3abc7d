import { expect, test } from 'vitest';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { toldOf } from './run-summary.ts';

const ended = journalRecords([
  { type: 'run.started', name: 'claude', tools: [], cwd: '' },
  { type: 'title', title: 'Money' },
  { type: 'turn.ended', stop_reason: null, usage: null },
  { type: 'context', tokens: 90, max: 100 },
  {
    type: 'run.ended',
    status: 'success',
    outcome: null,
    reasons: [],
    errors: [],
    result: null,
    duration_ms: 1,
    turns: 1,
  },
]);

test('a turn says how full the context of its conversation is', () => {
  expect(toldOf(ended, 'turn', {})).toMatchObject({ title: 'Money', context: { usage_percent: 90 } });
});

test('a review has a context of its own, which says nothing of its conversation', () => {
  expect(toldOf(ended, 'review', {})).toEqual({ title: 'Money', canContinue: true, context: null });
});
