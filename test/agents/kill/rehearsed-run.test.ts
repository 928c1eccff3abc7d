/** A run of the four phases that is killed at every point that matters, and resumed by the packed command. No model: both agents are rehearsed. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { pointsFrom, somePoints } from '../../setup/points.ts';
import { createCutWorkflow } from '../../contract/workflow/cut-workflow.ts';
import { demoFiles, everyKindOfTurn } from '../../contract/workflow/every-kind-of-turn.ts';
import {
  callsOf,
  eventsOf,
  finishedCalls,
  prepareStage,
  runId,
  stageIn,
  type Stage,
} from '../../contract/workflow/rehearsed-workflow.ts';
import { traceOf } from '../../contract/workflow/trace.ts';
import { installPackedCollab, type PackedCollab } from '../../packed/packed-collab.ts';

const source = join(import.meta.dirname, '../../contract/workflow/workflow.program.ts');

const folder = mkdtempSync(join(tmpdir(), 'collab-workflow-kill-'));
let program = '';
let collab: PackedCollab;

beforeAll(async () => {
  program = await buildProgram(source, join(folder, 'program'));
  collab = await installPackedCollab();
  prepareStage(join(folder, 'stage'), everyKindOfTurn, { files: demoFiles });
  cpSync(join(folder, 'stage'), join(folder, 'prepared'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('XB-1 kill -9 at any commit point of a run: the same tree, result and transcript, and no finished call twice', async () => {
  const whole = freshStage();
  const commits = Number((await drive(whole, '')).stdout);
  const left = leftBy(whole);
  expect(commits).toBeGreaterThan(2 * finishedCalls(eventsOf(whole)).length);
  for (const commit of somePoints(pointsFrom(1, commits), 24)) await killAndResume(`commit:${commit}`, left);
}, 1_800_000);

test('kill -9 at any record of the turns that edit, and between two edits', async () => {
  const whole = freshStage();
  await drive(whole, '');
  const left = leftBy(whole);
  const edited = eventsOf(whole).filter(({ type }) => type === 'file.changed');
  const records = edited.flatMap(({ seq }) => [seq - 2, seq - 1, seq, seq + 1]);
  expect(edited).toHaveLength(4);
  for (const record of somePoints([...new Set(records)], 8)) await killAndResume(`record:${record}`, left);
}, 600_000);

test('XB-1 a run that is left after any record goes on to the same tree, result and transcript', async () => {
  const workflow = await createCutWorkflow(everyKindOfTurn, { files: demoFiles }, () => true);
  const records = pointsFrom(0, workflow.events.length - 1);
  for (const kept of somePoints(records, 48)) await workflow.goOnAfterRecords(kept);
  expect(workflow.events.at(-1)?.type).toBe('run.ended');
  workflow.close();
}, 1_800_000);

async function killAndResume(stopAt: string, left: ReturnType<typeof leftBy>): Promise<void> {
  const stage = freshStage();
  expect((await drive(stage, stopAt)).signal).toBe('SIGKILL');
  const finished = finishedCalls(eventsOf(stage));
  const before = callsOf(stage);
  const resumed = await collab.run(['resume', runId], { cwd: stage.project, env: stage.env });
  const made = callsOf(stage).slice(before.length);
  expect({
    stopAt,
    code: resumed.code,
    ...leftBy(stage),
    repeated: made.filter((call) => finished.includes(call)),
  }).toEqual({ stopAt, code: 0, ...left, repeated: [] });
}

function leftBy(stage: Stage) {
  return {
    ...traceOf(stage),
    called: [...new Set(callsOf(stage))].toSorted(),
    broken: checkLaws(eventsOf(stage)),
  };
}

/** The same input in the same place: the folder is a part of it. */
function freshStage(): Stage {
  const stage = stageIn(join(folder, 'stage'));
  rmSync(stage.folder, { recursive: true, force: true });
  cpSync(join(folder, 'prepared'), stage.folder, { recursive: true });
  return stage;
}

function drive(stage: Stage, stopAt: string) {
  return execa(process.execPath, [program, stage.folder, stopAt], {
    env: stage.env,
    extendEnv: false,
    reject: false,
  });
}
