/** The contract of starting a run through the outer port, in every engine. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/runs/engine/engine.ts';
import { newRunId } from '../../../src/runs/folder/run-folder.ts';
import type { RunInput } from '../../../src/runs/folder/run-input.ts';
import { prepareReview, takeChange } from '../../../src/runs/review/prepare.ts';
import { reviewOptions } from '../../../src/runs/review-options.test-helper.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { changeOf } from '../../fixtures/review-answers.ts';

const starters = 6;

/** `open`: the engine, called once before the tests. */
export function testStart(name: string, open: () => Promise<Engine>): void {
  describe(`starting a run in the ${name} engine`, () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'collab-start-')));
    let engine: Engine;
    let input: RunInput;
    beforeAll(async () => {
      engine = await open();
      input = await inputOf(folder);
    });
    afterAll(async () => {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const home = join(folder, '.collab');

    test('a started run is listed, found and described, and no process drives it', async () => {
      const runId = newRunId(systemClock);
      const run = await engine.start(home, { runId, input });
      expect(run.runId).toBe(runId);
      expect((await engine.list(home)).map((listed) => listed.runId)).toContain(runId);
      expect(await engine.find(home, runId)).toMatchObject({ runId, input: { kind: 'review' } });
      expect(await engine.describe(run)).toMatchObject({ run: runId, kind: 'review', outcome: null });
      expect(await engine.isDriven(run)).toBe(false);
      expect(await engine.ends(run)).toBeNull();
      expect(await engine.status(run)).toMatchObject({ open: [], ended: null });
    });

    test('the same start again, and several at once, make one run', async () => {
      const runId = newRunId(systemClock);
      const starts = Array.from({ length: starters }, () => engine.start(home, { runId, input }));
      const runs = [...(await Promise.all(starts)), await engine.start(home, { runId, input })];
      expect(new Set(runs.map((run) => run.runId))).toEqual(new Set([runId]));
      expect((await engine.list(home)).filter((run) => run.runId === runId)).toHaveLength(1);
    });

    test('another run with the id of one is refused, and the first one stays', async () => {
      const runId = newRunId(systemClock);
      const run = await engine.start(home, { runId, input });
      const other = { ...input, notes: ['another'] };
      await expect(engine.start(home, { runId, input: other })).rejects.toMatchObject({
        code: 'input',
        details: { run_id: runId },
      });
      expect((await engine.input(run))?.notes).toEqual(input.notes);
    });
  });
}

async function inputOf(folder: string): Promise<RunInput> {
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'change.diff'), changeOf(1));
  const options = reviewOptions({
    cwd: folder,
    env: { HOME: join(folder, 'home'), PATH: '/usr/bin:/bin' },
    change: { kind: 'file', path: join(folder, 'change.diff') },
    settings: { advisor: 'static_review' },
  });
  return prepareReview(options, await takeChange(options));
}
