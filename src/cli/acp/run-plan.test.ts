import { expect, test } from 'vitest';
import {
  advisor,
  ended,
  eventStream,
  type Occurrence,
} from '../../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { createRunPlan } from './run-plan.ts';

/** The changes of the plan, each an entry a line. */
function plans(input: object, ...occurrences: readonly (EventBody | Occurrence)[]) {
  // oxlint-disable-next-line no-unsafe-type-assertion -- what the plan reads of a run
  const plan = createRunPlan(input as RunInput);
  return eventStream(occurrences).flatMap((event) => {
    const entries = plan.push(event);
    return entries === null ? [] : [entries.map(({ content, status }) => `${status} ${content}`)];
  });
}

const review = { kind: 'review', change: { description: 'main..HEAD' }, verify: true };
const inExchange = (exchangeId: string, body: EventBody): Occurrence => ({
  body,
  agent: advisor,
  exchangeId,
});
const sent = (id: string) =>
  inExchange(id, {
    type: 'exchange.sent',
    tag: '[REQUEST:REVIEW]',
    attempt: 1,
    prompt_bytes: 1,
    prompt_ref: 'x',
  });
const settled = (id: string, outcome: 'settled' | 'exhausted' = 'settled') =>
  inExchange(id, { type: 'exchange.ended', outcome, attempts: 1 });

function planned(names: readonly string[], lenses?: readonly string[]): EventBody {
  return {
    type: 'review.planned',
    files: names.length,
    lines: 4,
    skipped: [],
    chunks: names.map((name) => ({ name, paths: [`${name}.js`], estimated_tokens: 9, lines: 2 })),
    ...(lenses === undefined ? {} : { lenses: [...lenses] }),
  };
}

test('a review names its chunks, which follow their exchanges; one that fails stays open', () => {
  const [first, ...rest] = plans(
    review,
    planned(['chunk-1', 'chunk-2']),
    sent('ex_chunk-1'),
    settled('ex_chunk-1'),
    settled('ex_chunk-2', 'exhausted'),
    { ...ended(), outcome: 'incomplete' },
    { ...ended(), outcome: 'findings' },
  );
  expect(first).toEqual([
    'in_progress Review main..HEAD',
    'pending Review chunk 1/2 chunk-1.js (1 file, 2 lines)',
    'pending Review chunk 2/2 chunk-2.js (1 file, 2 lines)',
    'pending Check the findings',
  ]);
  const ofChunk = rest.map((entries) => entries.map((entry) => entry.split(' ')[0]));
  expect(ofChunk).toEqual([
    ['in_progress', 'in_progress', 'pending', 'pending'],
    ['in_progress', 'completed', 'pending', 'pending'],
    ['completed', 'completed', 'completed', 'completed'],
  ]);
});

test('a chunk of a deep review is done with its last pass', () => {
  const plan = planned(['chunk-1'], ['security', 'tests']);
  const first = settled('ex_chunk-1-security');
  expect(plans(review, plan, first)).toHaveLength(1);
  expect(plans(review, plan, first, settled('ex_chunk-1-tests')).at(-1)).toContain(
    'completed Review chunk 1/1 chunk-1.js (1 file, 2 lines)',
  );
});

test('more than twenty chunks share one entry, and a second plan replaces the first', () => {
  const many = Array.from({ length: 21 }, (_, index) => `chunk-${index + 1}`);
  expect(plans(review, planned(many))).toEqual([
    ['in_progress Review main..HEAD', 'pending Check the findings'],
  ]);
  expect(plans(review, planned(many.slice(1)))[0]).toHaveLength(22);
  expect(plans(review, planned(['chunk-1', 'chunk-2']), planned(['chunk-1'])).at(-1)).toHaveLength(3);
});

test('a consult is one entry, and a review without checks has none for them', () => {
  expect(plans({ kind: 'consult', phase: 'design' }, sent('ex'), settled('ex'))).toEqual([
    ['in_progress Ask about the design'],
    ['completed Ask about the design'],
  ]);
  expect(plans({ ...review, verify: false }, ended())[0]).toEqual(['completed Review main..HEAD']);
});

test('a run of phases has an entry for each', () => {
  const skill = { phases: [{ phase: 'design' }, { phase: 'implementation' }] };
  const [begun] = plans({ kind: 'workflow', skill }, { type: 'phase.started', phase: 'design', round: 1 });
  expect(begun).toEqual(['in_progress Design', 'pending Implementation']);
});

test('a failed phase stays open, and its end completes it', () => {
  const skill = { phases: [{ phase: 'design' }, { phase: 'implementation' }] };
  const begun: EventBody = { type: 'phase.started', phase: 'design', round: 1 };
  const done: EventBody = { type: 'phase.ended', phase: 'design', round: 1, result: 'x' };
  expect(plans({ kind: 'fix', skill }, begun, begun, done, ended(1, 'error')).at(-1)).toEqual([
    'completed Design',
    'pending Implementation',
  ]);
});

test('a judged finding begins the checks, and a failed review stays open', () => {
  const judged: EventBody = { type: 'finding.judged', id: 'f1', verdict: 'confirmed', evidence: 'x' };
  const last = plans(review, judged, { ...ended(), outcome: 'failed' }).at(-1);
  expect(last).toEqual(['pending Review main..HEAD', 'in_progress Check the findings']);
});
