/** Some cuts of a whole run of the four phases; test/agents makes all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCutWorkflow, type CutWorkflow } from './cut-workflow.ts';
import { demoFiles, everyKindOfTurn } from './every-kind-of-turn.ts';

const [step, offset] = [31, 5];
let workflow: CutWorkflow;

beforeAll(async () => {
  workflow = await createCutWorkflow(
    everyKindOfTurn,
    { files: demoFiles },
    (seq) => seq === 0 || seq % step === offset || seq > 300,
  );
});
afterAll(() => workflow.close());

test('the interrupted run contains every kind of turn', () => {
  const of = (type: string) => workflow.events.filter((event) => event.type === type).length;
  expect(
    workflow.events.flatMap((event) => (event.type === 'exchange.rejected' ? [event.reason] : [])),
  ).toEqual(['marker_absent', 'incomplete']);
  expect({
    back: of('exchange.answered_back'),
    phases: of('phase.ended'),
    files: of('file.changed'),
  }).toEqual({
    back: 1,
    phases: 6,
    files: 4,
  });
  expect(workflow.events.at(-1)?.type).toBe('run.ended');
});

test('XB-1 a run whose journal is cut goes on to the same tree, result and transcript without a finished call', async () => {
  expect(await workflow.goOnAfterRecords(0)).toHaveLength(18);
  for (let kept = offset; kept < workflow.events.length; kept += step) await workflow.goOnAfterRecords(kept);
}, 120_000);

test('a run that is interrupted after its last call reports the same pair', async () => {
  const { length } = workflow.events;
  expect(length).toBeGreaterThan(304);
  for (let kept = length - 1; kept > 301; kept -= 5)
    expect(await workflow.goOnAfterRecords(kept)).toEqual([]);
}, 60_000);
