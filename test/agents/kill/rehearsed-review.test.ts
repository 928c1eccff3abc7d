/** A review that is killed at every point that matters, and resumed by the packed command. No model: the advisor is rehearsed. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import { byteLength, createCutReview } from '../../contract/review/cut-review.ts';
import {
  callsOf,
  eventsOf,
  finishedSteps,
  prepareStage,
  resultOf,
  runId,
  stageIn,
  type Stage,
} from '../../contract/review/rehearsed-review.ts';
import { installPackedCollab, type PackedCollab } from '../../packed/packed-collab.ts';

const source = join(import.meta.dirname, '../../contract/review/review.program.ts');

const prepared = { standard: {}, deep: { effort: 'deep' } } as const;
type Prepared = keyof typeof prepared;

const folder = mkdtempSync(join(tmpdir(), 'collab-review-kill-'));
let program = '';
let collab: PackedCollab;

beforeAll(async () => {
  program = await buildProgram(source, join(folder, 'program'));
  collab = await installPackedCollab();
  for (const [name, options] of Object.entries(prepared)) {
    await prepareStage(join(folder, 'stage'), options);
    cpSync(join(folder, 'stage'), join(folder, name), { recursive: true });
    rmSync(join(folder, 'stage'), { recursive: true });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<Prepared>(['standard', 'deep'])(
  'XB-1 kill -9 at any commit point of a %s review: the same result, and no finished call is made twice',
  async (kind) => {
    const whole = freshStage(kind);
    const commits = Number((await drive(whole, 0)).stdout);
    const result = resultOf(whole);
    const steps = finishedSteps(eventsOf(whole));
    expect(commits).toBeGreaterThan(2 * steps.length);

    for (const commit of somePoints(pointsFrom(1, commits), 20)) {
      const stage = freshStage(kind);
      expect((await drive(stage, commit)).signal).toBe('SIGKILL');
      const finished = finishedSteps(eventsOf(stage));
      const callsBefore = callsOf(stage);

      const resumed = await collab.run(['resume', runId], { cwd: stage.folder, env: stage.env });
      const callsAfter = callsOf(stage).slice(callsBefore.length);
      expect({
        commit,
        code: resumed.code,
        result: resultOf(stage),
        repeated: callsAfter.filter((call) => finished.includes(call)),
        called: [...new Set([...callsBefore, ...callsAfter])].toSorted(),
        broken: checkLaws(eventsOf(stage)),
      }).toEqual({
        commit,
        code: 1,
        result,
        repeated: [],
        called: [...new Set(callsOf(whole))].toSorted(),
        broken: [],
      });
    }
  },
  600_000,
);

test('XB-1 a journal that is cut after any record, or at any byte of its last line, goes on to the same result', async () => {
  const review = await createCutReview();
  const records = pointsFrom(0, review.lines.length - 1);
  for (const kept of somePoints(records, 24)) await review.goOnAfterRecords(kept);
  const whole = byteLength(review.lines);
  const before = byteLength(review.lines.slice(0, -1));
  for (const bytes of somePoints(pointsFrom(before, whole - 1), 48))
    expect(await review.goOnAfterBytes(bytes)).toEqual([]);
  review.close();
}, 600_000);

/** The same input in the same place: the folder is a part of it. */
function freshStage(kind: Prepared): Stage {
  const stage = stageIn(join(folder, 'stage'));
  rmSync(stage.folder, { recursive: true, force: true });
  cpSync(join(folder, kind), stage.folder, { recursive: true });
  return stage;
}

/** SIGKILL after so many commit points; 0 for none. */
function drive(stage: Stage, stopAfter: number) {
  return execa(process.execPath, [program, stage.folder, String(stopAfter)], {
    env: stage.env,
    extendEnv: false,
    reject: false,
  });
}
