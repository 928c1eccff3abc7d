import { expect, test } from 'vitest';
import { defaultBudgets } from '../../config/repair-budgets.ts';
import { finding } from '../../review/findings/findings.test-helper.ts';
import {
  contextOf,
  exchangeOutput,
  inPhase,
  leadOutput,
  reviewRound,
  workflowInput,
} from './workflow.test-helper.ts';
import {
  briefOf,
  cancelledOutput,
  commitInput,
  consultInput,
  consultsLeft,
  enter,
  findingsThatCameBack,
  gateInput,
  inPass,
  keepExchange,
  keepLead,
  leadInput,
  openContext,
  openFindings,
  openPass,
  passAfter,
  passThrough,
  phaseOfSkill,
  reviewInput,
  workflowOutput,
} from './workflow-context.ts';

const cents = { phase: 'requirements', text: 'Cents.' } as const;
const once = { phase: 'design', text: 'Once.' } as const;

test('the work starts in the first phase of the skill, with nothing done', () => {
  const { rounds, pass, phases, end } = openContext(workflowInput);
  expect({ rounds, pass, phases, end }).toEqual({
    rounds: { requirements: 1 },
    pass: openPass({ phase: 'requirements', round: 1 }),
    phases: [],
    end: null,
  });
});

test('a skill without a phase is refused', () => {
  const skill = { ...workflowInput.skill, phases: [] };
  expect(() => openContext({ ...workflowInput, skill })).toThrow('a skill has at least one phase');
});

test('the phases follow in the order of the skill, each in its own round', () => {
  const rounds = { requirements: 1, design: 1, implementation: 2 };
  expect([
    passAfter(contextOf({ rounds })),
    passAfter(contextOf({ ...inPhase('design'), rounds })),
    passAfter(contextOf({ ...inPhase('implementation'), rounds })),
    passAfter(contextOf({ ...inPhase('review'), rounds })),
  ]).toEqual([
    { phase: 'design', round: 2 },
    { phase: 'implementation', round: 3 },
    { phase: 'review', round: 1 },
    null,
  ]);
  expect(passThrough('review', {})).toEqual({ phase: 'review', round: 1 });
});

test('reentering a phase reopens what it and later ones had settled', () => {
  const context = contextOf({
    ...inPhase('implementation', 1, {
      next: { phase: 'design', round: 2 },
      asked: 3,
      corrections: 1,
      consults: 2,
      lead: leadOutput(),
      reading: { kind: 'request', text: 'x' },
      draft: 'x',
      exchange: exchangeOutput(),
      advice: { sections: [] },
      result: 'settled',
    }),
    rounds: { requirements: 1, design: 1, implementation: 1 },
    settled: [cents, once],
  });
  expect(enter(context)).toEqual({
    pass: openPass({ phase: 'design', round: 2 }),
    rounds: { requirements: 1, design: 2, implementation: 1 },
    settled: [cents],
  });
});

test('no phase is entered after the end', () => {
  expect(() => enter(contextOf())).toThrow('the work has ended');
});

test('only the implementation edits; the lead gets the settled texts and its own last text', () => {
  const context = contextOf({
    ...inPhase('implementation', 2, { asked: 1, lead: leadOutput() }),
    sessionId: 'session-1',
    tree: 'tree-1',
    settled: [cents],
    committed: { head: 'head', manifest: 'M a.ts' },
  });
  const brief = {
    task: 'Round once.',
    template: 'Do the implementation.',
    settled: [cents],
    manifest: 'M a.ts',
    language: 'en',
  };
  expect(leadInput(context, 'implement')).toEqual({
    path: 'implementation/2/implement-2',
    work: { kind: 'implement', phase: 'implementation', round: 2, access: 'edit' },
    message: context.message,
    recap: { brief, said: 'Done.' },
    sessionId: 'session-1',
    tree: 'tree-1',
    budgets: defaultBudgets,
  });
  expect(leadInput({ ...context, ...inPass(context, { lead: null }) }, 'draft')).toMatchObject({
    path: 'implementation/2/draft-2',
    work: { kind: 'draft', access: 'read' },
    recap: { said: '' },
  });
});

test('before the first commit a brief has no manifest', () => {
  expect(briefOf(contextOf()).manifest).toBeNull();
});

test('a phase that the skill leaves out has no text of it', () => {
  const skill = { ...workflowInput.skill, phases: workflowInput.skill.phases.slice(0, 1) };
  const context = contextOf({ ...inPhase('design'), workflow: { ...workflowInput, skill } });
  expect(phaseOfSkill(context)).toBeUndefined();
  expect(briefOf(context).template).toBe('');
  expect(reviewInput(context).made?.sections).toEqual([]);
  expect(consultInput(context).request.sections.map(({ name }) => name)).toEqual([
    'ASSESSMENT',
    'RISKS',
    'ALTERNATIVES',
    'RECOMMENDATION',
  ]);
});

test('the lead’s text is kept as its draft: the part below its request, or all of it', () => {
  const context = contextOf({
    ...inPhase('design', 2, { asked: 1 }),
    leadTurns: [turnOf('requirements', 1)],
  });
  const asks = leadOutput({ text: 'So:\n\n[CONSULT:DESIGN]\nOnce?' });
  expect(keepLead(context, asks)).toEqual({
    ...inPass(context, {
      asked: 2,
      lead: asks,
      reading: { kind: 'request', text: 'Once?' },
      draft: 'Once?',
    }),
    sessionId: 'session-2',
    tree: 'tree-2',
    leadTurns: [turnOf('requirements', 1), turnOf('design', 2)],
    answers: [],
  });
  expect(keepLead(context, leadOutput())).toMatchObject({
    pass: { reading: { kind: 'no_request' }, draft: 'Done.' },
  });
  const read = { kind: 'request', text: 'Read before.' } as const;
  expect(keepLead(context, leadOutput({ text: 'A long text.', reading: read }))).toMatchObject({
    pass: { reading: read, draft: 'Read before.' },
  });
  expect(keepLead(context, leadOutput({ text: null }))).toMatchObject({
    pass: { reading: { kind: 'no_request' }, draft: '' },
  });
});

function turnOf(phase: 'requirements' | 'design', round: number) {
  return { promptBytes: 1, answerBytes: 2, durationMs: 3, usage: null, phase, round };
}

test('a consult contains the draft, the skill’s sections and the settled texts', () => {
  const context = contextOf({
    ...inPhase('design', 2, { consults: 1, draft: 'Once?' }),
    settled: [cents],
  });
  const consult = consultInput(context);
  expect({ ...consult, request: null }).toEqual({
    name: 'design-2-consult-2',
    path: 'design/2/consult-2',
    request: null,
    budgets: defaultBudgets,
  });
  expect({ ...consult.request, sections: consult.request.sections.map(({ name }) => name) }).toEqual({
    tag: '[CONSULT:DESIGN]',
    question: 'Once?',
    sections: ['ASSESSMENT', 'RISKS', 'ALTERNATIVES', 'RECOMMENDATION', 'COST'],
    required: [{ title: "The task, in the user's words", text: 'Round once.', origin: 'trusted' }],
    optional: [{ title: 'The result of the requirements phase', text: 'Cents.', origin: 'trusted' }],
    change: null,
    language: 'en',
  });
});

const block = {
  tag: '[RESPONSE:DESIGN]',
  lenient: false,
  preamble: '',
  sections: [{ name: 'RISKS', text: 'few', state: 'filled', span: { start: 1, end: 1 } }],
  missing: [],
  extraSections: [],
  span: { start: 1, end: 2 },
} as const;

test('a settled answer is advice; any other leaves the consult without one', () => {
  const former = exchangeOutput({ name: 'former' });
  const context = contextOf({
    ...inPhase('requirements', 1, { consults: 1 }),
    exchanges: [former],
    withoutAdvice: ['former'],
  });
  const settled = exchangeOutput({ block });
  expect(keepExchange(context, settled)).toEqual({
    ...inPass(context, {
      exchange: settled,
      advice: { sections: [{ name: 'RISKS', text: 'few' }] },
      consults: 2,
    }),
    exchanges: [former, settled],
    withoutAdvice: ['former'],
  });
  const failed = exchangeOutput({ outcome: 'exhausted', block });
  expect(keepExchange(context, failed)).toEqual({
    ...inPass(context, { exchange: failed, advice: null, consults: 2 }),
    exchanges: [former, failed],
    withoutAdvice: ['former', 'design-1-consult-1'],
  });
  expect(keepExchange(context, exchangeOutput()).pass?.advice).toEqual({ sections: [] });
});

test('the gate gets the draft and the advice, the commit gets the tree and the last text', () => {
  const context = contextOf({
    ...inPhase('design', 2, { draft: 'Once?', lead: leadOutput() }),
    tree: 'tree-1',
  });
  const pass = { phase: 'design', round: 2 };
  expect(gateInput(context)).toEqual({ ...pass, draft: 'Once?', advice: null });
  expect(commitInput(context)).toEqual({ ...pass, tree: 'tree-1', text: 'Done.' });
  expect(commitInput({ ...context, ...inPass(context, { lead: null }) })).toMatchObject({ text: '' });
});

test.each([
  [[], 'base', null],
  [['one'], 'one', null],
  [['one', 'two', 'three'], 'three', 'two'],
])('after the rounds %j a review looks from the base to %s', (implemented, head, former) => {
  const context = contextOf({
    ...inPhase('design', 2, { draft: 'Made.' }),
    base: 'base',
    implemented,
  });
  expect(reviewInput(context)).toEqual({
    secondOpinion: { kind: 'off' },
    effort: 'quick',
    path: 'design/2',
    made: {
      task: 'Round once.',
      words: 'Made.',
      sections: [{ name: 'COST', asks: 'say what it costs' }],
      base: 'base',
      head,
      former,
    },
    budgets: defaultBudgets,
    chunk_tokens: 1000,
    concurrency: 2,
  });
});

test('corrections use consults too, and the number left is never negative', () => {
  expect([
    consultsLeft(contextOf()),
    consultsLeft(contextOf(inPhase('requirements', 1, { consults: 1, corrections: 1 }))),
    consultsLeft(contextOf(inPhase('requirements', 1, { consults: 3, corrections: 1 }))),
  ]).toEqual([3, 1, 0]);
});

const leak = finding({ severity: 'critical', identity: 'leak' });
const race = finding({ severity: 'critical', identity: 'race' });

test('only counting critical findings of the last review block the end', () => {
  const findings = [
    leak,
    finding({ severity: 'important' }),
    finding({ severity: 'critical', verdict: 'rejected' }),
    finding({ severity: 'critical', baseline: true }),
  ];
  const reviews = [reviewRound(1, [race]), reviewRound(2, findings)];
  expect(openFindings({ reviews, fixes: [] })).toEqual([leak]);
  expect(openFindings({ reviews: [], fixes: [] })).toEqual([]);
});

test('a finding came back if any earlier review had it, with any severity', () => {
  const softer = finding({ severity: 'minor', identity: 'leak' });
  const reviews = [reviewRound(1, [softer]), reviewRound(2, []), reviewRound(3, [leak, race])];
  expect(findingsThatCameBack({ reviews, fixes: [] })).toEqual([leak]);
  expect(findingsThatCameBack({ reviews: reviews.slice(2), fixes: [] })).toEqual([]);
});

test('the output contains everything kept, and does not exist before the end', () => {
  const kept = {
    phases: [{ phase: 'design', round: 1, result: 'settled' }],
    settled: [cents],
    exchanges: [exchangeOutput()],
    reviews: [reviewRound(1, [leak])],
    leadTurns: [turnOf('design', 1)],
    withoutAdvice: ['x'],
    committed: { head: 'head', manifest: '' },
    fixes: [],
    applied: { kind: 'refused', reason: 'r' },
  } as const;
  const end = { code: 'done', detail: 'it is done', failure: null } as const;
  expect(workflowOutput(contextOf({ ...kept, end }))).toEqual({ ...kept, end });
  expect(cancelledOutput(contextOf(kept))).toEqual({
    ...kept,
    end: { code: 'cancelled', detail: 'the run was cancelled', failure: null },
  });
  expect(() => workflowOutput(contextOf(kept))).toThrow('the work has not ended');
});
