import { expect, test } from 'vitest';
import { approvalQuestion, applyQuestion } from '../../../src/runs/calls/gate-question.ts';
import { reverseQuestion } from '../../../src/runs/calls/reverse-question.ts';
import { readGateAnswer } from '../../../src/parsers/answers/gate-answer.ts';
import type { Question } from '../../../src/engine/port.ts';
import { phases } from '../../../src/client/questions.ts';
import { answerFormOf } from './answer-form.ts';
import { composeAnswer, type ComposedAnswer } from './compose-answer.ts';

test.each([
  ['requirements', ['requirements']],
  ['design', ['requirements', 'design']],
  ['implementation', ['requirements', 'design', 'implementation']],
  ['review', phases],
] as const)('the gate of %s can go back to %j', (phase, revisable) => {
  const form = answerFormOf(approvalQuestion(phase, 'text', readGateAnswer).schema);
  expect(form).toMatchObject({ kind: 'approval', revisable });
});

const asked = approvalQuestion('design', 'text', readGateAnswer);
const gate = answerFormOf(asked.schema);

test.each([
  [{ decision: 'approve' }, { kind: 'approve', comment: null }],
  [
    { decision: 'approve', text: ' design is fine ' },
    { kind: 'approve', comment: 'design is fine' },
  ],
  [
    { decision: 'revise', text: 'smaller' },
    { kind: 'revise', phase: null, comment: 'smaller' },
  ],
  [
    { decision: 'revise', phase: 'design', text: 'x' },
    { kind: 'revise', phase: null, comment: 'x' },
  ],
  [
    { decision: 'revise', phase: 'requirements', text: 'x' },
    { kind: 'revise', phase: 'requirements', comment: 'x' },
  ],
  [
    { decision: 'stop', text: 'enough' },
    { kind: 'stop', comment: 'enough' },
  ],
])('a gate that is filled in with %j is answered as meant, and fits', (draft, meant) => {
  const composed = composeAnswer(gate, draft);
  expect(composed.kind).toBe('answer');
  expect(asked.parse('value' in composed ? composed.value : null)).toEqual(meant);
});

test.each([
  [{}, 'decision', 'nothingChosen'],
  [{ decision: 'revise' }, 'text', 'empty'],
  [{ decision: 'revise', text: '  ' }, 'text', 'empty'],
])('a gate that is filled in with %j is not sent: %s is %s', (draft, field, problem) => {
  expect(composeAnswer(gate, draft)).toEqual({ kind: 'problem', field, problem });
});

test('the answer whether to apply the changes is one of two words', () => {
  const question = applyQuestion('text');
  const form = answerFormOf(question.schema);
  expect(['apply', 'leave'].map((decision) => parsed(question, composeAnswer(form, { decision })))).toEqual([
    true,
    false,
  ]);
  expect(composeAnswer(form, {})).toMatchObject({ kind: 'problem', field: 'decision' });
});

test('a reverse request has a field for each of its sections', () => {
  const question = reverseQuestion({ tag: '[CONSULT:CLAUDE:VERIFICATION]', text: 'Is it so?' });
  const form = answerFormOf(question.schema);
  expect(form).toEqual({
    kind: 'fields',
    title: '[CONSULT:CLAUDE:VERIFICATION]',
    fields: [
      { name: 'VERDICT', options: ['approve', 'revise', 'reject'], required: true },
      { name: 'REASON', options: null, required: true },
    ],
  });
  expect(composeAnswer(form, { REASON: 'x' })).toMatchObject({ field: 'VERDICT', problem: 'nothingChosen' });
  expect(composeAnswer(form, { VERDICT: 'revise' })).toMatchObject({ field: 'REASON', problem: 'empty' });
  const whole = composeAnswer(form, { VERDICT: 'revise', REASON: ' not yet ' });
  expect(parsed(question, whole)).toEqual({ VERDICT: 'revise', REASON: 'not yet' });
});

test('a text is sent without the white space around it, and never empty', () => {
  const form = answerFormOf({ type: 'string', minLength: 1, description: 'as you like' });
  expect(form).toMatchObject({ kind: 'text', hint: 'as you like' });
  expect(composeAnswer(form, { text: ' euro \n' })).toEqual({ kind: 'answer', value: 'euro' });
  expect(composeAnswer(form, { text: ' \n' })).toMatchObject({ problem: 'empty' });
  const short = answerFormOf({ type: 'string', maxLength: 3, pattern: '^a' });
  expect(['abcd', 'b', 'abc'].map((text) => composeAnswer(short, { text }).kind)).toEqual([
    'problem',
    'problem',
    'answer',
  ]);
});

test('words of a closed set are choices', () => {
  const form = answerFormOf({ enum: ['yes', 'no'] });
  expect(composeAnswer(form, { decision: 'no' })).toEqual({ kind: 'answer', value: 'no' });
  expect(composeAnswer(form, { decision: 'maybe' })).toMatchObject({ problem: 'nothingChosen' });
});

test.each([
  [{ type: 'number' }],
  [{ type: 'object', properties: { list: { type: 'array' } } }],
  [{ type: 'object' }],
  [{ enum: [1, 2] }],
  [true],
  [null],
])('a schema that has no form of its own is answered as JSON: %j', (schema) => {
  const form = answerFormOf(schema);
  expect(form.kind).toBe('json');
  expect(composeAnswer(form, { text: '{"a":[1]}' })).toEqual({ kind: 'answer', value: { a: [1] } });
  expect(composeAnswer(form, { text: '{' })).toMatchObject({ problem: 'notJson' });
});

test('a pattern that a browser cannot read leaves the decision to the server', () => {
  const form = answerFormOf({ type: 'string', pattern: '(' });
  expect(composeAnswer(form, { text: 'x' })).toEqual({ kind: 'answer', value: 'x' });
});

function parsed<Value>(question: Question<Value>, composed: ComposedAnswer): Value {
  if (composed.kind !== 'answer') throw new Error(`${composed.field}: ${composed.problem}`);
  return question.parse(composed.value);
}
