import { expect, test } from 'vitest';
import { finding } from '../../review/findings/findings.test-helper.ts';
import { contextOf, exchangeOutput, inPhase, leadOutput, reviewRound } from './workflow.test-helper.ts';
import { inPass } from './workflow-context.ts';
import {
  commitNothing,
  goOn,
  judgeReview,
  reviseFrom,
  settlePhase,
  stopAtGate,
  stopWithoutAdvice,
  stopWithoutLead,
} from './workflow-endings.ts';

const earlier = { phase: 'requirements', text: 'Cents.' } as const;

test('a phase settles with the lead’s last text, after those before it', () => {
  const context = contextOf({ ...inPhase('design', 1, { lead: leadOutput() }), settled: [earlier] });
  expect(settlePhase(context)).toEqual({
    settled: [earlier, { phase: 'design', text: 'Done.' }],
    ...inPass(context, { result: 'settled' }),
  });
});

test.each([null, leadOutput({ text: null })])('a phase without a text settles as an empty one', (lead) => {
  const context = contextOf(inPhase('requirements', 1, { lead }));
  expect(settlePhase(context)).toEqual({
    settled: [{ phase: 'requirements', text: '' }],
    ...inPass(context, { result: 'settled' }),
  });
});

test('the next pass starts without the old objection; after the last one the work is done', () => {
  const next = { phase: 'design', round: 1 } as const;
  expect(goOn(contextOf(), next)).toEqual({ ...inPass(contextOf(), { next }), objection: null });
  expect(goOn(contextOf(inPhase('design')), null)).toEqual({
    end: { code: 'done', detail: 'every phase up to design is done', failure: null },
    objection: null,
  });
});

test('the gate sends the work back to a phase, with the user’s words', () => {
  const context = contextOf({ ...inPhase('design'), rounds: { requirements: 2, design: 1 } });
  const gate = { kind: 'revise', phase: 'requirements', comment: 'no mail' } as const;
  expect(reviseFrom(context, gate)).toEqual({
    ...inPass(context, { next: { phase: 'requirements', round: 3 }, result: 'sent back at the gate' }),
    objection: 'no mail',
  });
});

test('a gate that stops the run sends the work nowhere', () => {
  expect(() => reviseFrom(contextOf(), { kind: 'stop', comment: null })).toThrow(
    'the gate sends no phase back',
  );
});

test.each([
  [null, 'the work was stopped at the gate'],
  ['too large', 'the work was stopped at the gate: too large'],
])('a stop with the comment %j ends the work', (comment, detail) => {
  expect(stopAtGate(contextOf(), { kind: 'stop', comment })).toEqual({
    end: { code: 'stopped', detail, failure: null },
    ...inPass(contextOf(), { result: 'stopped at the gate' }),
  });
});

test('the comment of another decision is not a reason to stop', () => {
  const gate = { kind: 'revise', phase: 'design', comment: 'again' } as const;
  expect(stopAtGate(contextOf(), gate).end?.detail).toBe('the work was stopped at the gate');
});

const failure = { cause: 'auth', detail: 'log in', hint: 'claude /login' } as const;

test.each([
  [leadOutput({ failure }), failure],
  [leadOutput(), { cause: 'internal', detail: 'the lead gave no text', hint: null }],
  [null, { cause: 'internal', detail: 'the lead gave no text', hint: null }],
])('a lead that failed ends the work with its failure', (lead, told) => {
  const context = contextOf(inPhase('design', 1, { lead }));
  expect(stopWithoutLead(context)).toEqual({
    end: {
      code: 'lead_failed',
      detail: 'the lead did not finish its part of the design',
      failure: { ...told, by: 'lead' },
    },
    ...inPass(context, { result: 'the lead failed' }),
  });
});

test.each([
  [exchangeOutput({ outcome: 'unavailable', ...failure }), failure],
  [exchangeOutput(), { cause: 'protocol', detail: 'no answer came', hint: null }],
  [null, { cause: 'protocol', detail: 'no answer came', hint: null }],
])('an advisor that failed ends the work with its failure', (exchange, told) => {
  const context = contextOf(inPhase('design', 1, { exchange }));
  expect(stopWithoutAdvice(context)).toEqual({
    end: {
      code: 'advisor_failed',
      detail: 'the advisor gave no whole answer about the design',
      failure: { ...told, by: 'advisor' },
    },
    ...inPass(context, { result: 'no advice' }),
  });
});

test('a round that changed no file ends the work', () => {
  const context = contextOf(inPhase('implementation', 2));
  expect(commitNothing(context)).toEqual({
    end: {
      code: 'nothing_implemented',
      detail: 'the lead changed no file in round 2 of the implementation',
      failure: null,
    },
    ...inPass(context, { result: 'nothing changed' }),
  });
});

const leak = finding({ severity: 'critical', title: 'Leak', identity: 'leak' });
const race = finding({ severity: 'critical', title: 'Race', identity: 'race' });
const name = finding({ severity: 'important', title: 'Name', identity: 'name' });
const reviewing = { ...inPhase('review', 2), rounds: { implementation: 2, review: 2 } } as const;

test('a review without a critical finding ends the work successfully', () => {
  expect(
    judgeReview(contextOf({ ...reviewing, reviews: [reviewRound(1, [leak]), reviewRound(2, [name])] })),
  ).toEqual({
    ...inPass(reviewing, { result: 'no critical finding' }),
    end: { code: 'done', detail: 'no critical finding is left after round 2', failure: null },
  });
});

test('an incomplete review ends the work, whatever it found', () => {
  const unsettled = [exchangeOutput(), exchangeOutput({ outcome: 'exhausted' })];
  const end = { code: 'review_incomplete', detail: 'the review of round 2 is incomplete', failure: null };
  expect([
    judgeReview(contextOf({ ...reviewing, reviews: [reviewRound(2, [], unsettled)] })),
    judgeReview(contextOf({ ...reviewing, reviews: [reviewRound(2, [leak, race], unsettled)] })),
  ]).toEqual([
    { ...inPass(reviewing, { result: 'no critical finding' }), end },
    { ...inPass(reviewing, { result: '2 critical findings' }), end },
  ]);
});

test('critical findings send the work back to the implementation', () => {
  const reviews = [reviewRound(1, [leak]), reviewRound(2, [race])];
  expect(judgeReview(contextOf({ ...reviewing, reviews }))).toEqual({
    ...inPass(reviewing, {
      result: '1 critical finding',
      next: { phase: 'implementation', round: 3 },
    }),
    objection: null,
  });
});

test('recurring findings end the work and are listed by title', () => {
  const reviews = [reviewRound(1, [leak, race]), reviewRound(2, [race, leak])];
  expect(judgeReview(contextOf({ ...reviewing, reviews }))).toEqual({
    ...inPass(reviewing, { result: '2 critical findings' }),
    end: { code: 'not_converging', detail: 'the fixes did not help: Race; Leak', failure: null },
  });
});

test('the round limit takes precedence over recurring findings', () => {
  const reviews = [reviewRound(1, [leak]), reviewRound(2, []), reviewRound(3, [leak])];
  expect(judgeReview(contextOf({ ...reviewing, reviews }))).toEqual({
    ...inPass(reviewing, { result: '1 critical finding' }),
    end: { code: 'rounds_spent', detail: '1 critical finding after 3 rounds, the limit', failure: null },
  });
});

test('a missing review counts as one without findings', () => {
  expect(judgeReview(contextOf({ reviews: [] })).end?.code).toBe('done');
});
