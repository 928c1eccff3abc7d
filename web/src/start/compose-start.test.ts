import { expect, test } from 'vitest';
import { phases } from '../../../src/client/questions.ts';
import { composeReview, composeTask, type ReviewDraft } from './compose-start.ts';

const draft: ReviewDraft = {
  input: 'working_tree',
  value: ' main ',
  failOn: 'critical',
  focus: ' ',
  advisor: '',
  lead: '',
};

test.each([
  ['working_tree', {}],
  ['staged', { staged: true }],
  ['base', { base: 'main' }],
  ['range', { range: 'main' }],
  ['commit', { commit: 'main' }],
  ['diff', { diff: ' main ' }],
] as const)('a review of %s asks for %j', (input, asked) => {
  expect(composeReview({ ...draft, input })).toEqual({ kind: 'review', input: asked, fail_on: 'critical' });
});

test('empty fields are not sent, so the server’s own default applies', () => {
  expect(composeReview({ ...draft, focus: ' locks ', advisor: 'codex', lead: '' })).toEqual({
    kind: 'review',
    input: {},
    fail_on: 'critical',
    focus: 'locks',
    advisor: 'codex',
  });
});

test('a task names its phases only if it leaves some out, and gates only if they are passed', () => {
  const task = { task: ' do it ', phases, yes: false, advisor: '', lead: '' };
  expect(composeTask(task)).toEqual({ kind: 'run', task: 'do it' });
  expect(composeTask({ ...task, phases: ['design'], yes: true })).toEqual({
    kind: 'run',
    task: 'do it',
    phases: ['design'],
    yes: true,
  });
});
