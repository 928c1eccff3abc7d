import { expect, test } from 'vitest';
import type { EventAgent } from '../../events/collab-event.ts';
import type { GateInput } from '../../machine/workflow/workflow-types.ts';
import { passGate } from './gate.ts';
import { performSteps } from './performed-steps.test-helper.ts';

const leadAgent: EventAgent = { id: 'lead', role: 'lead', provider: 'claude' };

test('questions of the advisor are asked as they are; any answer but an empty one counts', async () => {
  const { context, asked, named } = performSteps('in EUR');
  expect(await passGate(context, requirements('Which currency?'), { gates: 'ask', leadAgent })).toEqual({
    kind: 'go_on',
    decision: { kind: 'answers', text: 'in EUR' },
  });
  expect(asked).toMatchObject([{ kind: 'clarification', text: 'Which currency?' }]);
  expect(named).toEqual(['requirements/1']);
  expect(() => asked[0]?.parse('  ')).toThrow('Too small');
});

test.each(['', ' ', 'None'])('without a question (%j), nothing is asked', async (text) => {
  const { context, asked } = performSteps('?');
  expect(await passGate(context, requirements(text), { gates: 'ask', leadAgent })).toEqual({
    kind: 'go_on',
    decision: { kind: 'nothing_asked' },
  });
  expect(asked).toEqual([]);
});

test.each([
  ['approve', { kind: 'go_on', decision: { kind: 'approved', comment: null } }],
  ['Approve: good', { kind: 'go_on', decision: { kind: 'approved', comment: 'good' } }],
  ['revise: smaller', { kind: 'revise', phase: 'design', comment: 'smaller' }],
  ['revise requirements: other', { kind: 'revise', phase: 'requirements', comment: 'other' }],
  ['stop: enough', { kind: 'stop', comment: 'enough' }],
])('the answer %j at a gate decides how the run goes on', async (answer, decision) => {
  const { context, asked } = performSteps(answer);
  expect(await passGate(context, design, { gates: 'ask', leadAgent })).toEqual(decision);
  expect(asked[0]?.text).toBe(
    "# The lead's design\n\nA map.\n\n# What the advisor says\n\n## RISKS\n\nSlow.\n\nDo you approve?".replace(
      'Do you',
      '# Do you',
    ),
  );
});

test('a gate says that there is no advice', async () => {
  const { context, asked } = performSteps('approve');
  await passGate(context, { ...design, advice: null }, { gates: 'ask', leadAgent });
  expect(asked[0]?.text).toContain('\n\nThe advisor gave no answer.\n\n');
});

test.each([
  [requirementsAsking(), { kind: 'assume' }, 'the lead answers by its own assumptions'],
  [designed(), { kind: 'approved', comment: null }, 'approve'],
])('the policy answers, and the record has its question and its answer', async (input, decision, value) => {
  const { context, asked, emitted } = performSteps('?');
  expect(await passGate(context, input, { gates: 'accept', leadAgent })).toEqual({ kind: 'go_on', decision });
  expect(asked).toEqual([]);
  expect(emitted).toMatchObject([
    [{ type: 'question.asked', name: 'gate by policy' }, { agent: leadAgent }],
    [{ type: 'question.answered', name: 'gate by policy', by: 'policy', value }, { agent: leadAgent }],
  ]);
});

const design = designed();

function designed(): GateInput {
  return gateInput('design', ' A map. ', 'RISKS', 'Slow.');
}

function requirementsAsking(): GateInput {
  return requirements('Which currency?');
}

function requirements(questions: string): GateInput {
  return gateInput('requirements', '', 'CLARIFICATION_QUESTIONS', questions);
}

function gateInput(phase: GateInput['phase'], draft: string, name: string, text: string): GateInput {
  const advice = { sections: [{ name, text }] };
  return { phase, round: 1, draft, advice };
}
