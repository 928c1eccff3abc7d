/** Runs that fix chosen findings: the lead's answers, the review of the fix, the rounds and the results. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../../src/events/collab-event.ts';
import { finding } from '../../../src/review/findings/findings.test-helper.ts';
import { createCutWorkflow } from './cut-workflow.ts';
import { allOf, fileOf, goOn, play, stageFor } from './play-workflow.ts';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import { callsOf, git, runBranches, skillOf, type StageInput } from './rehearsed-workflow.ts';
import { advises, issue, leads, review, scriptOf } from './workflow-script.ts';

const before = 'export const zero = 1;\nexport const two = 3;\nexport const ten = 10;\n';
const after = 'export const zero = 0;\nexport const two = 2;\nexport const ten = 10;\n';

const chosen: readonly Finding[] = [
  wrong('F1', 'critical', 'zero is one', 'export const zero = 1;', 1),
  wrong('F2', 'important', 'two is three', 'export const two = 3;', 2),
  wrong('F4', 'important', 'ten is too small', 'export const ten = 10;', 3),
];

function wrong(
  id: string,
  severity: Finding['severity'],
  title: string,
  quote: string,
  line: number,
): Finding {
  const place = {
    path: 'src/one.js',
    start_line: line,
    end_line: line,
    side: 'new',
    placement: 'exact',
  } as const;
  const anchor = { line: quote, symbol: null, ordinal: 1 };
  return finding({ id, identity: `${id}-identity`, severity, title, quote, anchor, ...place });
}

const fixing: StageInput = {
  task: 'Fix F1, F2, F4 of 20261120-080000-revw',
  fix: { run: '20261120-080000-revw', findings: [...chosen] },
  skill: skillOf(['implementation', 'review'], { consults: 0, review_rounds: 2 }),
  files: { 'src/one.js': before },
};

const answers = 'I fixed two.\n\nF1: fixed\nF2: fixed\nF4: refused: ten is what the callers expect.\n';

function fixes(round: number, content: string, answer = answers) {
  return leads({ work: 'implement', round }, answer, { edits: [{ path: 'src/one.js', content }] });
}

test('findings are fixed or refused, reviewed again and applied', async () => {
  const { phases, ended, result, stage, events } = await play(scriptOf(fixes(1, after)), fixing);
  expect(phases).toEqual(['implementation 1: settled', 'review 1: no open finding']);
  expect(fileOf(stage, 'src/one.js')).toBe(after);
  expect(runBranches(stage)).toEqual([]);
  expect(result).toMatchObject({
    input: { kind: 'fix' },
    fix: {
      run: '20261120-080000-revw',
      findings: [
        { id: 'F1', fate: 'fixed', reason: null, now: null },
        { id: 'F2', fate: 'fixed', reason: null, now: null },
        { id: 'F4', fate: 'refused', reason: 'ten is what the callers expect.', now: null },
      ],
    },
    findings: [{ id: 'F1', title: 'ten is too small', verdict: 'disputed' }],
    workflow: { applied: 'applied', branch: null, ended: { code: 'done' } },
  });
  expect(ended?.result).toBe('2 of 3 findings gone, 1 refused after round 1');
  // The lead writes no request for the review: it gets the findings from collab.
  expect(allOf(events, 'turn.ended').filter(({ agent }) => agent.role === 'lead')).toHaveLength(1);
});

test('a lead that does not answer about a finding is asked for it', async () => {
  const script = scriptOf(
    fixes(1, after, 'I fixed them.\n\nF1: fixed\nF4: refused\n'),
    leads(
      { work: 'implement', contains: 'You did not say of each finding' },
      'F2: fixed\nF4: refused: it is right.',
    ),
  );
  const { stage, result } = await play(script, fixing);
  expect(callsOf(stage).filter((call) => call.includes('implement'))).toHaveLength(2);
  expect(result).toMatchObject({
    fix: { findings: [{ fate: 'fixed' }, { fate: 'fixed' }, { fate: 'refused', reason: 'it is right.' }] },
  });
});

test('a finding that the review reports again causes another round', async () => {
  const first = before.replace('zero = 1', 'zero = 0');
  const script = scriptOf(
    advises(
      { tag: '[REQUEST:REVIEW]', round: 1 },
      review(issue('Important', 'two is not two', 'export const two = 3;')),
    ),
    fixes(1, first),
    fixes(2, after),
  );
  const { phases, result } = await play(script, {
    ...fixing,
    fix: { run: 'r', findings: chosen.slice(0, 2) },
  });
  expect(phases).toEqual([
    'implementation 1: settled',
    'review 1: 1 open finding',
    'implementation 2: settled',
    'review 2: no open finding',
  ]);
  expect(result).toMatchObject({
    outcome: 'clean',
    fix: { findings: [{ fate: 'fixed' }, { id: 'F2', fate: 'fixed' }] },
  });
});

test('a lead that refuses every finding changes nothing, and its reasons are in the result', async () => {
  const refuses = 'F1: refused: no.\nF2: refused: no.\nF4: refused: ten is right.';
  const { ended, stage, result } = await play(scriptOf(leads({ work: 'implement' }, refuses)), fixing);
  expect(ended).toMatchObject({ outcome: 'incomplete' });
  expect(ended?.reasons.join()).toContain('it refused F1: no.; F2: no.; F4: ten is right.');
  expect(result).toMatchObject({ exit_code: 3 });
  expect(git(stage, 'status', '--porcelain')).toBe('');
});

test("the user's edits before the fix are kept, and later ones in the same file stop the apply", async () => {
  const stage = stageFor(scriptOf(fixes(1, `${after}// mine\n`)), fixing);
  const file = join(stage.project, 'src/one.js');
  writeFileSync(file, `${before}// mine\n`);
  const { result } = await goOn(stage);
  expect(result).toMatchObject({ workflow: { applied: 'applied' } });
  expect(fileOf(stage, 'src/one.js')).toBe(`${after}// mine\n`);
  const other = stageFor(scriptOf(fixes(1, after)), fixing);
  const late = await goOn(other, {
    onEvent: ({ type }) => {
      if (type === 'phase.ended') writeFileSync(join(other.project, 'src/one.js'), `${before}// late\n`);
    },
  });
  expect(late.result).toMatchObject({ workflow: { applied: 'refused' } });
  expect(fileOf(other, 'src/one.js')).toBe(`${before}// late\n`);
});

test('a fix whose process ends after any record goes on to the same files, result and transcript', async () => {
  const workflow = await createCutWorkflow(scriptOf(fixes(1, after)), fixing, () => true);
  onTestFinished(() => workflow.close());
  expect(workflow.events.at(-1)?.type).toBe('run.ended');
  const records = pointsFrom(0, workflow.events.length - 1);
  for (const kept of somePoints(records, 12)) await workflow.goOnAfterRecords(kept);
}, 300_000);
