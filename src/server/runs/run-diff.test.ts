import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { diffOf } from './run-diff.ts';

const run = { runId: 'r1', path: '/runs/r1' };
const key = `sk-ant-api03-${'a1B2'.repeat(23)}`;

test('the change of a review has its secrets masked, and a consult has none', async () => {
  const review = { kind: 'review', change: { diff: `+const key = '${key}';\n` } };
  expect(await diffOf(engineWith({ input: review }), run)).toMatch(/^\+const key = '\*+';\n$/);
  const records = [stepEnded('brief/census', { diffText: '+no change\n' })];
  expect(await diffOf(engineWith({ input: { kind: 'consult' }, records }), run)).toBeNull();
  expect(await diffOf(engineWith({ input: null }), run)).toBeNull();
});

test('the change of a run of phases is the newest that one of its reviews took', async () => {
  const records = [
    stepEnded('review-1/census', { diffText: '+one\n' }),
    stepEnded('review-2/census', { diffText: '+two\n' }),
    stepEnded('review-2/answer', { diffText: '+no change\n' }),
    { type: 'title', title: 'x' },
  ] as const;
  expect(await diffOf(engineWith({ records }), run)).toBe('+two\n');
});

test('a long change of a run of phases is read from its text', async () => {
  const records = [{ type: 'step.ended', step: 'review-1/census', attempt: 1, value_ref: 'long' }] as const;
  const texts = { long: JSON.stringify({ diffText: '+long\n' }) };
  expect(await diffOf(engineWith({ records, texts }), run)).toBe('+long\n');
  expect(await diffOf(engineWith({ records }), run)).toBeNull();
});

test.each([
  ['has no record yet', []],
  ['has reviewed nothing yet', [stepEnded('requirements', { diffText: '+no change\n' })]],
  ['took something else', [stepEnded('review-1/census', { text: '+no change\n' })]],
])('there is no change of a run of phases that %s', async (_, records) => {
  expect(await diffOf(engineWith({ records }), run)).toBeNull();
});

function stepEnded(step: string, value: Extract<EventBody, { type: 'step.ended' }>['value']) {
  return { type: 'step.ended', step, attempt: 1, value } as const;
}

interface Kept {
  readonly input?: unknown;
  readonly records?: readonly EventBody[];
  readonly texts?: Readonly<Record<string, string>>;
}

/** Default: a run of phases. As in a folder, records can be read only if there are any. */
function engineWith({ input = { kind: 'workflow' }, records = [], texts = {} }: Kept): Engine {
  const events = journalRecords(records);
  const engine = {
    input: async () => input,
    ends: async () => (events.length === 0 ? null : { first: events[0], last: events.at(-1) }),
    records: () => (events.length === 0 ? Promise.reject(new Error('no records')) : Promise.resolve(events)),
    text: async (_run: unknown, name: string) => texts[name] ?? null,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the methods that are called
  return engine as unknown as Engine;
}
