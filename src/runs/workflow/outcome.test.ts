import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../config/settings-table.ts';
import type { ReviewRound, WorkflowEnd, WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import { exchangeOutput, reviewRound } from '../../machine/workflow/workflow.test-helper.ts';
import { censusOf, finding } from '../../review/findings/findings.test-helper.ts';
import { renderReason } from '../../review/outcome/reasons.ts';
import { startSettings } from '../folder/run-settings.ts';
import { workflowInput } from '../folder/saved-runs.test-helper.ts';
import { decideWorkflow } from './outcome.ts';

const drive = { input: workflowInput({ settings: startSettings(defaultSettings) }) };

const critical = reviewRound(1, [finding()]);
const clean = reviewRound(2, []);
const unsettled = lost();

/** A review of one file, of which no exchange settled. */
function lost(cause: 'died' | 'time' = 'died'): ReviewRound {
  const round = reviewRound(1, [], [failedExchange(cause)]);
  const counted = { ...round.output.counted, census: censusOf('a.ts') };
  return { ...round, output: { ...round.output, counted } };
}

function failedExchange(cause: 'died' | 'time') {
  return exchangeOutput({ outcome: cause === 'time' ? 'exhausted' : 'unavailable', cause, detail: 'gone' });
}

const done = { code: 'done', detail: 'the phases are done', failure: null } as const;

function outputOf(
  changes: Omit<Partial<WorkflowOutput>, 'end'> & { readonly end: Partial<WorkflowEnd> },
): WorkflowOutput {
  return {
    phases: [],
    settled: [],
    exchanges: [],
    reviews: [],
    leadTurns: [],
    withoutAdvice: [],
    committed: null,
    fixes: [],
    applied: { kind: 'left' },
    ...changes,
    end: { ...done, ...changes.end },
  };
}

/** The outcome, the exit code and the reasons in the form of `result.json`. */
function decided(changes: Parameters<typeof outputOf>[0]) {
  const { outcome, exitCode, reasons } = decideWorkflow(drive, outputOf(changes));
  return [outcome, exitCode, ...reasons.map(renderReason)];
}

describe('a run whose phases are done', () => {
  test('has the outcome of its last review', () => {
    const end = { code: 'done' } as const;
    const { outcome, review } = decideWorkflow(drive, outputOf({ end, reviews: [critical, clean] }));
    expect(outcome).toBe(decideWorkflow(drive, outputOf({ end, reviews: [clean] })).outcome);
    expect(review).toEqual(clean.output);
    expect(decided({ end, reviews: [clean, critical] }).slice(0, 2)).toEqual(['findings', 1]);
  });

  test('has none without a review, and says so', () => {
    expect(decided({ end: {} })).toEqual([
      null,
      0,
      'no_review: the phases are done; there was no review among them',
    ]);
    expect(decideWorkflow(drive, outputOf({ end: {} }))).toMatchObject({
      assurance: 'none',
      coverage: null,
      review: null,
    });
  });

  test('is incomplete if a consult had no answer', () => {
    expect(decided({ end: {}, withoutAdvice: ['design-1', 'design-2'] })).toEqual([
      'incomplete',
      3,
      'without_advice: the lead continued without advice (design-1, design-2)',
      'no_review: the phases are done; there was no review among them',
    ]);
  });

  test('is incomplete if the files of the user could not be changed', () => {
    const applied = { kind: 'refused', reason: 'a.ts: was changed' } as const;
    expect(decided({ end: {}, applied }).slice(0, 3)).toEqual([
      'incomplete',
      3,
      'not_applied: your own files were not changed: a.ts: was changed',
    ]);
  });

  test('keeps the worse outcome of its review: findings stay findings', () => {
    const [outcome, exitCode, first] = decided({ end: {}, reviews: [critical], withoutAdvice: ['design-1'] });
    expect([outcome, exitCode]).toEqual(['findings', 1]);
    expect(first).toMatch(/^without_advice: /);
  });
});

describe('a run that leaves Critical findings', () => {
  test.each(['rounds_spent', 'not_converging'] as const)('%s: says why first', (code) => {
    const [outcome, exitCode, first, second] = decided({ end: { code, detail: 'why' }, reviews: [critical] });
    expect([outcome, exitCode, first]).toEqual(['findings', 1, `${code}: why`]);
    expect(second).toMatch(/^findings_at_threshold: /);
  });

  test('is incomplete if no review says more', () => {
    expect(decided({ end: { code: 'rounds_spent', detail: 'why' } })).toEqual([
      'incomplete',
      3,
      'rounds_spent: why',
    ]);
  });
});

describe('a review that did not settle', () => {
  const end = { code: 'review_incomplete', detail: 'why' } as const;

  test('fails the run if nothing has settled', () => {
    const [outcome, exitCode, first] = decided({
      end,
      reviews: [unsettled],
      exchanges: [failedExchange('died')],
    });
    expect([outcome, exitCode]).toEqual(['failed', 4]);
    expect(first).toMatch(/^agent_died: /);
  });

  test('leaves it incomplete if a consult has settled', () => {
    const [outcome, exitCode] = decided({
      end,
      reviews: [unsettled],
      exchanges: [failedExchange('died'), exchangeOutput()],
    });
    expect([outcome, exitCode]).toEqual(['incomplete', 3]);
  });

  test('leaves it incomplete if it was late', () => {
    expect(decided({ end, reviews: [lost('time')] }).slice(0, 2)).toEqual(['incomplete', 3]);
  });
});

test.each(['nothing_implemented', 'stopped', 'cancelled'] as const)(
  '%s: incomplete, with the reason',
  (code) => {
    expect(decided({ end: { code, detail: 'why' }, withoutAdvice: ['design-1'] })).toEqual([
      'incomplete',
      3,
      `${code}: why`,
      'without_advice: the lead continued without advice (design-1)',
    ]);
  },
);

describe.each(['lead', 'advisor'] as const)('a %s that cannot work', (by) => {
  const code = `${by}_failed` as const;
  const failure = { by, cause: 'auth', detail: 'is logged out', hint: 'log in' } as const;
  const end = { code, detail: 'it gave up', failure };

  test('fails the run, with the fault and the remedy', () => {
    expect(decided({ end })).toEqual(['failed', 4, 'agent_login: it gave up; is logged out; log in']);
    expect(decided({ end: { ...end, failure: { ...failure, hint: '', detail: '' } } })[2]).toBe(
      'agent_login: it gave up',
    );
  });

  test('leaves it incomplete after an exchange that has settled, of a consult or of a review', () => {
    expect(decided({ end, exchanges: [exchangeOutput()] }).slice(0, 2)).toEqual(['incomplete', 3]);
    expect(decided({ end, reviews: [critical] }).slice(0, 2)).toEqual(['incomplete', 3]);
    expect(decided({ end, exchanges: [failedExchange('died')], reviews: [unsettled] })[0]).toBe('failed');
  });

  test.each(['protocol', 'time', 'budget', 'context', 'silent'] as const)(
    'at a limit of the run (%s) is incomplete',
    (cause) => {
      expect(decided({ end: { ...end, failure: { ...failure, cause } } }).slice(0, 2)).toEqual([
        'incomplete',
        3,
      ]);
    },
  );

  test('for an unknown reason is a fault of the program', () => {
    expect(decided({ end: { ...end, failure: null } })).toEqual([
      'incomplete',
      3,
      'internal_fault: it gave up',
    ]);
  });
});

test('a failed advisor is not also named as missing advice', () => {
  const failure = { by: 'advisor', cause: 'time', detail: 'late', hint: null } as const;
  const end = { code: 'advisor_failed', detail: 'it gave up', failure } as const;
  expect(decided({ end, withoutAdvice: ['design-1'] }).slice(2)).toEqual(['time_spent: it gave up; late']);
});
