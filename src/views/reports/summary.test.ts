import { expect, test } from 'vitest';
import { exampleResult } from '../../review/outcome/result.test-helper.ts';
import { noCoverage } from '../../review/outcome/result.ts';
import { summarise } from './summary.ts';

const workflow = {
  task: 'Totals.',
  ended: { code: 'done', detail: 'every phase up to design is done' },
  phases: [
    { phase: 'requirements', round: 1, result: 'settled' },
    { phase: 'design', round: 2, result: 'settled' },
  ],
  branch: 'collab/x',
  applied: 'left',
  without_advice: [],
} as const;

test('a run of phases without a review lists its phases, and claims nothing about a review', () => {
  const summary = summarise({
    ...exampleResult(),
    outcome: null,
    exit_code: 0,
    assurance: 'none',
    coverage: noCoverage,
    findings: [],
    workflow: { ...workflow, phases: [...workflow.phases], without_advice: [] },
  });
  expect(summary).toMatchObject({
    headline: 'done — no review among the phases',
    coverage: 'phases: requirements settled, design 2 settled',
    assurance: 'nothing was reviewed',
    exit: 'exit 0: the phases are done',
  });
});

test('a run of phases that reached a review says what was reviewed', () => {
  const report = exampleResult();
  const { coverage } = summarise({
    ...report,
    workflow: { ...workflow, phases: [...workflow.phases], without_advice: [] },
  });
  expect(coverage).toBe(summarise(report).coverage);
});
