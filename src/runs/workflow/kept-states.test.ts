import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import type { CollabEvent, CollabEventOf, EventBody } from '../../events/collab-event.ts';
import { runEnvelope } from '../../engine/journal/open-journal.test-helper.ts';
import { keeperOf, readKept, refuseEarlierState } from './kept-states.ts';

const [first = '', second = '', third = ''] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
const commit = 'd'.repeat(40);

type Stored = Pick<CollabEventOf<'step.ended'>, 'value' | 'value_ref'>;

function ended(step: string, stored: Stored): EventBody {
  return { type: 'step.ended', step, attempt: 1, ...stored };
}

function recordsOf(...bodies: readonly EventBody[]): readonly CollabEvent[] {
  const { runId, conversationId, tenantId, agent } = runEnvelope();
  return bodies.map((body, index) => ({
    v: 1,
    run_id: runId,
    seq: index + 1,
    ts: '2026-11-21T09:30:00.000000Z',
    conversation_id: conversationId,
    tenant_id: tenantId,
    agent,
    turn: 0,
    ...body,
  }));
}

const kept = (tree: string, of: string | null, pack: string) => ({
  value: { tree, kept: { tree, commit: of, pack } },
});

const texts = new Map([
  ['1', Buffer.from('pack 1').toString('base64')],
  ['2', Buffer.from('pack 2').toString('base64')],
  ['3', Buffer.from('pack 3').toString('base64')],
  ['large', JSON.stringify(kept(second, commit, '2').value)],
]);
const text = async (name: string) => texts.get(name) ?? null;

const records = recordsOf(
  ended('open', kept(first, null, 'another step')),
  ended('implementation/1/implement/turn-1', kept(first, null, '1')),
  ended('implementation/1/implement/turn-2', { value: { tree: first } }),
  ended('implementation/1/commit', { value_ref: 'large' }),
  ended('implementation/2/implement/turn-1', kept(third, null, '3')),
);

test('the commits and the last state are read, with their packs; a large record is, too', async () => {
  expect(await readKept(records, text)).toEqual([
    { tree: second, commit, pack: Buffer.from('pack 2') },
    { tree: third, commit: null, pack: Buffer.from('pack 3') },
  ]);
  expect(await readKept(records.slice(0, 3), text)).toEqual([
    { tree: first, commit: null, pack: Buffer.from('pack 1') },
  ]);
  expect(await readKept([], text)).toEqual([]);
});

function at(tree: string) {
  return { snapshot: async () => tree };
}

test('a state without its text is named', async () => {
  expect(await refusalOf(readKept(records, async () => null))).toMatchObject({
    code: 'journal_corrupt',
    message: "A stored state of the run's files is missing: large",
  });
});

test('a folder with an earlier state than the records is left to a later drive', async () => {
  await refuseEarlierState(at(third), records, text);
  await refuseEarlierState(at(first), [], text);
  expect(await refusalOf(refuseEarlierState(at(second), records, text))).toMatchObject({ code: 'locked' });
});

test('a commit is packed as one, and a state that is too large is not kept', async () => {
  const packed: string[] = [];
  const keep = keeperOf({
    async pack(state) {
      packed.push(state);
      return state === third ? null : Buffer.from('pack');
    },
  });
  const attempt = { keep: (value: string) => `name of ${value}` };
  const pack = `name of ${Buffer.from('pack').toString('base64')}`;
  expect(await keep(attempt, { tree: first, commit: null })).toEqual({
    tree: first,
    commit: null,
    pack,
  });
  expect(await keep(attempt, { tree: second, commit })).toEqual({ tree: second, commit, pack });
  expect(await keep(attempt, { tree: third, commit: null })).toBeNull();
  expect(packed).toEqual([first, commit, third]);
});
