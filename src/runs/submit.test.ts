import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { finding, report } from '../../test/fixtures/reports/sample-report.ts';
import { refusalOf } from '../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../test/fixtures/scratch-repository.ts';
import type { Guest } from '../access/speaker.ts';
import { systemClock as clock } from '../system/clock.ts';
import type { NewRun } from './engine/engine.ts';
import { openEngine } from './engine/open-engine.ts';
import { consultInput, consultResult, savedRun } from './folder/saved-runs.test-helper.ts';
import { smallDiff } from './rehearsed-review.test-helper.ts';
import { reviewOptions } from './review-options.test-helper.ts';
import { startRequested, withReview } from './start.ts';
import type { StartPlace } from './start/start-place.ts';
import { submitConsult, submitReview, submitWorkflow } from './submit.ts';

/** A folder with a rehearsal, and an engine that only notes what starts. */
function world(more: Partial<StartPlace> = {}) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, 'script.yaml'), 'turns: []\n');
  const env = { PATH: process.env['PATH'], HOME: scratchFolder(), XDG_STATE_HOME: scratchFolder() };
  const signal = new AbortController().signal;
  const place: StartPlace = { home: join(cwd, '.collab'), cwd, env, clock, signal, ...more };
  const started: NewRun[] = [];
  const engine = {
    ...openEngine({ clock, env }),
    start: async (_home: string, run: NewRun) => {
      started.push(run);
      return { runId: run.runId, path: `far/${run.runId}` };
    },
  };
  return { cwd, place, started, engine };
}

const rehearsal = { advisor: 'rehearsal:script.yaml' };
const task = { kind: 'run', task: 'Round once.', lead: 'rehearsal:script.yaml', ...rehearsal } as const;
const owner = { tenant: 'acme', conversation: 'c1', token: 't1' };

test('a review is submitted with its change, its owner and its place in the queue', async () => {
  const { cwd, place, started, engine } = world({ repository: 'shop' });
  const file = join(cwd, 'out.json');
  const change = { kind: 'stdin', text: smallDiff } as const;
  const request = { kind: 'review', changes: [change], advisor: 'static_review', reports: [] } as const;
  const {
    run,
    format,
    report: write,
  } = await withReview(request, place, (options) =>
    submitReview({ ...options, reports: [{ format: 'json', file }] }, place, engine, {
      owner,
      priority: 'batch',
    }),
  );
  expect(started).toMatchObject([
    { runId: run.runId, input: { kind: 'review' }, owner, repository: 'shop', priority: 'batch' },
  ]);
  expect([run.path, format]).toEqual([`far/${run.runId}`, 'terminal']);
  expect(await run.change()).toMatchObject({ counted: { files: [{ path: 'src/total.ts' }] } });
  const result = report({ run_id: run.runId });
  await write(result, {});
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ run_id: run.runId });
});

test('a run of phases is submitted for a person, of the repository of its folder, without an owner', async () => {
  const { cwd, place, started, engine } = world();
  const { run } = await submitWorkflow(task, place, engine);
  expect(started).toEqual([
    {
      runId: run.runId,
      input: expect.objectContaining({ kind: 'workflow', task: 'Round once.', apply: false }),
      repository: cwd.split('/').at(-1),
      priority: 'person',
      signal: place.signal,
    },
  ]);
  expect(run.input).toBe(started[0]?.input);
});

test('a run of phases that would change files here is not submitted', async () => {
  const { place, started, engine } = world();
  expect(await refusalOf(submitWorkflow({ ...task, apply: true }, place, engine))).toEqual({
    code: 'usage',
    message: 'A worker cannot change your files: --apply is for a run on this machine',
    hint: 'Leave --apply out; collab apply <run> --remote applies the edits when the run has ended.',
  });
  expect(await refusalOf(submitWorkflow({ ...task, lead: 'caller' }, place, engine))).toEqual({
    code: 'usage',
    message: 'The caller cannot lead a run on another machine: it edits files of this one',
    hint: 'Name a lead that the workers have: --lead claude_code',
  });
  expect(started).toEqual([]);
});

test('a consult is a conversation of its own, or continues that of a run', async () => {
  const { place, started, engine } = world();
  const consult = { kind: 'consult', phase: 'design', brief: 'Is it sound?', ...rehearsal } as const;
  const { run, report: write } = await submitConsult(consult, place, engine, { owner });
  expect(started).toMatchObject([
    { owner, priority: 'person', input: { kind: 'consult', conversation: run.runId, earlier: [] } },
  ]);
  const earlier = savedRun(place.home, 'c1', consultInput({ conversation: 'c1' }), consultResult());
  await submitConsult({ ...consult, run: earlier.runId }, place, engine);
  expect(started[1]?.input).toMatchObject({ conversation: 'c1', earlier: [{ run: 'c1' }] });
  await write(consultResult(), {});
});

test('a submission that is stopped or not permitted starts nothing', async () => {
  const stopped = world({ signal: AbortSignal.abort(new Error('stopped')) });
  await expect(submitWorkflow(task, stopped.place, stopped.engine)).rejects.toThrow('stopped');
  const speaker: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: [], isServerOpen: false };
  const guest = world({ speaker, repository: 'shop' });
  const options = reviewOptions({
    ...guest.place,
    change: { kind: 'stdin', text: smallDiff },
    reports: [{ format: 'json', file: join(guest.cwd, 'out.json') }],
    settings: { advisor: 'static_review' },
  });
  expect(await refusalOf(submitReview(options, guest.place, guest.engine))).toMatchObject({
    code: 'forbidden',
  });
  expect([stopped.started, guest.started]).toEqual([[], []]);
});

test('a review without an available advisor leaves reports that say so', async () => {
  const { cwd, place, started, engine } = world();
  const file = join(cwd, 'out.json');
  const options = reviewOptions({
    ...place,
    env: { ...place.env, PATH: '/nowhere', CI: '1' },
    change: { kind: 'stdin', text: smallDiff },
    reports: [{ format: 'json', file }],
    settings: { advisor: 'auto' },
  });
  const refusal = await refusalOf(submitReview(options, place, engine));
  expect(['cli_missing', 'auth']).toContain(refusal.code);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    state: 'ended',
    outcome: 'failed',
    exit_code: 4,
    reasons: [expect.stringMatching(/^agent_(?:missing|login): /)],
  });
  expect(started).toEqual([]);
});

test('a fix starts with the findings that it names', async () => {
  const { place } = world();
  const found = ['F1', 'F2', 'F3'].map((id) => finding({ id }));
  writeFileSync(join(place.cwd, 'saved.json'), JSON.stringify(report({ run_id: 'r1', findings: found })));

  const request = {
    kind: 'fix',
    from: 'saved.json',
    findings: ['F1', 'F2'],
    lead: task.lead,
    ...rehearsal,
  } as const;
  const { input, path } = await startRequested(request, place);
  expect(input).toMatchObject({
    kind: 'fix',
    task: 'Fix F1, F2 of r1',
    gates: 'ask',
    apply: false,
    skill: { name: 'fix', limits: { consults: 0, review_rounds: 2 } },
    fix: { run: 'r1', findings: [{ id: 'F1' }, { id: 'F2' }] },
  });
  expect(input.kind === 'fix' && input.skill.phases).toMatchObject([
    { phase: 'implementation', template: '' },
    { phase: 'review', template: '' },
  ]);
  expect(existsSync(join(path, 'result.json'))).toBe(true);
  const more = { ...request, yes: true, apply: true, max_review_rounds: 1 };
  expect((await startRequested(more, place)).input).toMatchObject({
    gates: 'accept',
    apply: true,
    skill: { limits: { review_rounds: 1 } },
  });
});
