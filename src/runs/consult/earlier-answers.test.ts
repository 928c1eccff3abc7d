import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { openEngine } from '../engine/open-engine.ts';
import {
  consultInput,
  consultResult,
  reviewInput,
  savedRun,
  workflowInput,
} from '../folder/saved-runs.test-helper.ts';
import type { RunInput } from '../folder/run-input.ts';
import type { RunResult } from '../folder/result-file.ts';
import { readEarlier } from './earlier-answers.ts';

const engine = openEngine({ clock });

/** Runs of one conversation, which the first begins. */
function conversation(first: RunInput, ...results: readonly (RunResult | null)[]) {
  const home = scratchFolder();
  const runs = results.map((result, index) => {
    const id = `20261121-09300${index}-aaaa`;
    const input = index === 0 ? first : consultInput({ conversation: '20261121-093000-aaaa' });
    return savedRun(home, id, input, result);
  });
  return { home, runs, read: async (id = 'latest') => readEarlier(engine, home, id) };
}

test('the settled texts of all runs are read, oldest first, whichever run is named', async () => {
  const { read } = conversation(reviewInput(), report({ findings: [] }), consultResult());
  const earlier = {
    conversation: '20261121-093000-aaaa',
    settled: [
      {
        run: '20261121-093000-aaaa',
        title: 'review, run 20261121-093000-aaaa',
        text: 'The review ended findings.',
      },
      {
        run: '20261121-093001-aaaa',
        title: 'design, run 20261121-093001-aaaa',
        text: '## ASSESSMENT\n\nSound.',
      },
    ],
  };
  expect(await read()).toEqual(earlier);
  expect(await read('20261121-093000-aaaa')).toEqual(earlier);
});

test('a run of phases is named as one, and a long text is cut at its end', async () => {
  const settled = [{ phase: 'design' as const, text: 'x'.repeat(40_000) }];
  const facts = { task: 'Round once.', ended: null, phases: [], branch: null, applied: 'left' as const };
  const workflow = { ...facts, settled, without_advice: [] };
  const { read } = conversation(workflowInput(), report({ findings: [], workflow }));
  const [only] = (await read()).settled;
  expect(only?.title).toBe('phases, run 20261121-093000-aaaa');
  expect(only?.text).toHaveLength(32_768);
  expect(only?.text).toMatch(/^The task was: Round once\.\n\n## design\n\nx+$/);
});

test('runs that have not ended, have settled nothing or cannot be read are left out', async () => {
  const { read, runs } = conversation(
    reviewInput(),
    report({ state: 'interrupted' }),
    null,
    consultResult({ outcome: 'exhausted' }),
    consultResult(),
  );
  writeFileSync(join(runs[3]?.path ?? '', 'result.json'), '{');
  expect((await read()).settled).toEqual([]);
});

test('a run that does not exist is refused', async () => {
  const { read } = conversation(reviewInput(), report());
  expect(await refusalOf(read('nothing'))).toMatchObject({ code: 'run_not_found' });
});
