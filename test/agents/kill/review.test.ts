/** `collab` is stopped during a run: no process and no open request is left, and the run can continue. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { buildProgram } from '../../setup/build-program.ts';
import {
  eventsOf,
  finishedSteps,
  prepareStage,
  runId,
  type Stage,
} from '../../contract/review/rehearsed-review.ts';
import { answerOf, change, changeOf, markOf, wholeAnswer } from '../../fixtures/review-answers.ts';
import { byContent, inOrder, type Step } from '../../upstream/steps.ts';
import { descendantsOf, processesNaming, stillAlive } from '../../setup/process-table.ts';
import {
  createReviewWorld,
  generous,
  type ReviewWorld,
  type Started,
  type WorkFolder,
} from '../review/review-user.ts';

const source = join(import.meta.dirname, '../../contract/review/review.program.ts');

let review: ReviewWorld;

beforeAll(async () => {
  review = await createReviewWorld();
});
afterEach(() => review.nothingLeft());
afterAll(() => review.close());

const silent: Step = { hang: 'headers' };
const half: Step = { text: wholeAnswer, hang: 'stream' };
const sleeps: Step = {
  calls: [{ name: 'exec_command', arguments: { cmd: 'sleep 303', yield_time_ms: 200_000 } }],
};
/** Time until nothing may be left. */
const soon = { timeout: 6000, interval: 50 };

test.each([
  ['SIGINT', 'collab', 'never answers', silent],
  ['SIGINT', 'its group', 'stops in the middle of its answer', half],
  ['SIGINT', 'its group', 'lets a command run', sleeps],
  ['SIGTERM', 'collab', 'stops in the middle of its answer', half],
  ['SIGKILL', 'collab', 'stops in the middle of its answer', half],
  ['SIGKILL', 'collab', 'lets a command run', sleeps],
] as const)(
  'X003-7.5 %s to %s while the model %s leaves nothing behind, and the run is resumed',
  async (signal, target, _name, step) => {
    const { upstream } = review;
    upstream.play(inOrder(step, { text: wholeAnswer }));
    const before = upstream.requests.length;
    const folder = step === sleeps ? withRepository() : review.folder();
    folder.write('change.diff', change);
    const { pid, ended } = await startAsked(folder, before + 1, step === sleeps ? [] : ['change.diff']);
    const wanted = step === sleeps ? 'sleep 303' : 'app-server';
    await expect
      .poll(() => descendantsOf(pid).map(({ command }) => command), generous)
      .toContainEqual(expect.stringContaining(wanted));
    expect(processesNaming(review.world.root).length).toBeGreaterThan(1);
    const below = descendantsOf(pid);

    process.kill(target === 'collab' ? pid : -pid, signal);
    await expect.poll(() => [stillAlive(below), upstream.openTurns()], soon).toEqual([[], 0]);
    const left = await ended;
    expect({ code: left.code, signal: left.signal }).toEqual(endings[signal]);
    expect(folder.events().at(-1)?.type).not.toBe('run.ended');
    expect(folder.result()).toMatchObject({
      state: signal === 'SIGKILL' ? 'running' : 'interrupted',
      outcome: 'failed',
    });
    expect(left.stderr.includes(`collab resume ${folder.result().run_id}`)).toBe(signal !== 'SIGKILL');

    const resumed = await folder.run('resume');
    expect(resumed.code).toBe(1);
    expect(folder.result()).toMatchObject({ state: 'ended', outcome: 'findings' });
    expect(upstream.requests.length - before).toBe(2);
    expect(upstream.requests.at(-1)?.lastInput).toContain('Your last turn was cut before it ended.');
  },
);

const endings = {
  SIGINT: { code: 130, signal: null },
  SIGTERM: { code: 143, signal: null },
  SIGKILL: { code: null, signal: 'SIGKILL' },
} as const;

test('an immediate second Ctrl-C leaves as little behind', async () => {
  review.upstream.play(inOrder(silent));
  const before = review.upstream.requests.length;
  const folder = review.folder();
  folder.write('change.diff', change);
  const { pid, ended } = await startAsked(folder, before + 1);
  process.kill(-pid, 'SIGINT');
  process.kill(-pid, 'SIGINT');
  expect((await ended).code).toBe(130);
  expect(folder.events().at(-1)?.type).not.toBe('run.ended');
});

test('after a kill in the middle of the second chunk the first one is not asked again', async () => {
  const { upstream } = review;
  upstream.play(byContent({ [markOf(1)]: inOrder({ text: answerOf(1) }), [markOf(2)]: inOrder(half) }));
  const before = upstream.requests.length;
  const folder = review.folder({ config: 'chunk_tokens: 500\nconcurrency: 1\n' });
  folder.write('change.diff', changeOf(2));
  const { pid, ended } = await startAsked(folder, before + 2);
  process.kill(pid, 'SIGKILL');
  await ended;
  await review.nothingLeft();

  upstream.play(byContent({ [markOf(2)]: inOrder({ text: answerOf(2) }) }));
  const resumed = await folder.run('resume');
  expect(resumed.code).toBe(1);
  expect(foundIn(folder)).toEqual(['src/part-1.ts', 'src/part-2.ts']);
  expect(upstream.requests.slice(before).map(({ text }) => text.includes(markOf(1)))).toEqual([
    true,
    false,
    false,
  ]);
});

test('an answer that came and whose record was lost is harvested with no further request', async () => {
  const { upstream, world } = review;
  upstream.play(
    byContent({
      [markOf(1)]: inOrder({ text: answerOf(1) }),
      [markOf(2)]: inOrder({ text: answerOf(2) }),
      [markOf(3)]: inOrder({ text: answerOf(3) }),
    }),
  );
  const program = await buildProgram(source, join(world.root, 'program'));
  const stage = await prepareStage(join(world.root, 'harvested'), {
    advisor: 'codex',
    env: world.env,
    effort: 'quick',
  });
  const folder = review.folder({ path: stage.folder });
  const lost = 'review/chunk-1/turn-1';
  const killed = await execa(process.execPath, [program, stage.folder, lost], {
    env: world.env,
    extendEnv: false,
    reject: false,
  });
  expect(killed.signal).toBe('SIGKILL');
  await review.nothingLeft();
  forgetFrom(stage, (event) => event.type === 'turn.ended' && event.step === lost);
  expect(folder.events().some((event) => event.type === 'step.bound' && event.step === lost)).toBe(true);
  expect(finishedSteps(folder.events())).not.toContain(lost);
  const before = upstream.requests.length;

  const resumed = await folder.run('resume', runId);
  expect(resumed.code).toBe(1);
  expect(foundIn(folder)).toEqual(['src/part-1.ts', 'src/part-2.ts', 'src/part-3.ts']);
  expect(upstream.requests.slice(before).filter(({ text }) => text.includes(markOf(1)))).toEqual([]);
});

/** A review of `change.diff` after so many requests to its model. */
/** Files of a repository, all new, for a model with commands. */
function withRepository(): WorkFolder {
  const folder = review.folder();
  execFileSync('git', ['init', '--quiet', folder.path], { env: { PATH: '/usr/bin:/bin' } });
  folder.write('total.ts', 'export const total = (sum: number): number => Math.floor(sum);\n');
  return folder;
}

async function startAsked(
  folder: WorkFolder,
  requests: number,
  what: readonly string[] = ['change.diff'],
): Promise<Started> {
  const started = folder.start('review', ...what);
  const early = started.ended.then(({ stderr }) => Promise.reject(new Error(`ended early: ${stderr}`)));
  await Promise.race([review.upstream.untilRequests(requests), early]);
  early.catch(() => undefined);
  return started;
}

/** As if the process had been killed before it wrote that record. */
function forgetFrom(stage: Stage, isFirst: (event: CollabEvent) => boolean): void {
  const file = journalFile(stage.runFolder);
  const kept = eventsOf(stage).findIndex(isFirst);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, kept);
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function foundIn(folder: WorkFolder): readonly string[] {
  return folder.result().findings.map(({ path }) => path ?? '');
}
