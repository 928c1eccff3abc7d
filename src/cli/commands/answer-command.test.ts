import { expect, test } from 'vitest';
import type { Engine } from '../../runs/engine/engine.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { recordAnswer } from './answer-command.ts';

/** A run that asks this question by now. */
function asking(name: string) {
  const answered: unknown[] = [];
  const engine = {
    status: async () => ({ state: 'waiting', open: [{ name, kind: 'gate', text: '', schema: {} }] }),
    answer: async (_run: unknown, answer: unknown) => answered.push(answer),
  };
  const found = { runId: 'r', path: 'r', input: { kind: 'run', lead: null } };
  return {
    answered,
    // oxlint-disable-next-line no-unsafe-type-assertion -- what the function asks of an engine
    session: { clock, env: {}, engine: engine as unknown as Engine },
    // oxlint-disable-next-line no-unsafe-type-assertion -- what the function reads of a run
    found: found as unknown as OpenedRun,
  };
}

test('an answer to a question that was answered elsewhere does not answer the next one', async () => {
  const { answered, session, found } = asking('gate:design');
  await expect(recordAnswer(session, found, 'approve', 'gate:requirements')).rejects.toMatchObject({
    code: 'input',
    message: 'The question was answered elsewhere, and r asks another one: gate:design',
  });
  expect(answered).toEqual([]);
});

test('the question that was shown is answered, and the first one if none is named', async () => {
  for (const shown of ['gate:design', undefined]) {
    const { answered, session, found } = asking('gate:design');
    await recordAnswer(session, found, '"approve"', shown);
    expect(answered).toMatchObject([{ name: 'gate:design', by: 'user' }]);
  }
});
