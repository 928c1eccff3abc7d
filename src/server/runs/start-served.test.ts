import { expect, test } from 'vitest';
import { join } from 'node:path';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { owner, type Guest } from '../../access/speaker.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { smallDiff } from '../../runs/rehearsed-review.test-helper.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { StartCall } from './run-ports.ts';
import type { ServerChoices } from './served-place.ts';
import { startServed, submitServed } from './start-served.ts';

const review: StartRequest = {
  kind: 'review',
  changes: [{ kind: 'stdin', text: smallDiff }],
  advisor: 'static_review',
  lead: 'none',
};
const acme: Guest = {
  kind: 'guest',
  tenant: 'acme',
  grants: [],
  providers: ['static_review', 'none', 'codex'],
  isServerOpen: false,
};

test('a submitted review has its owner, its place in the queue and the name of the repository', async () => {
  const { submit, starts, folder } = world();
  expect(await submit({ ...review, priority: 'ci' })).toMatchObject({
    runId: 'r1',
    input: { kind: 'review' },
  });
  await submit(review);
  const common = { owner: { tenant: 'acme', conversation: 'first', token: null }, repository: folder.name };
  expect(starts).toMatchObject([
    { ...common, priority: 'ci', input: { kind: 'review' } },
    { ...common, priority: 'person' },
  ]);
});

test.each([{ kind: 'consult', phase: 'design', brief: 'Two tables?' }, { kind: 'fix' }] as const)(
  'a run that no worker drives is not submitted: %j',
  async (request) => {
    const { submit, starts } = world();
    await expect(submit(request)).rejects.toMatchObject({
      code: 'internal',
      message: `${request.kind} does not travel`,
    });
    expect(starts).toEqual([]);
  },
);

test('a request that names no agent gets those of the server', async () => {
  const { start } = world({ advisor: 'static_review', lead: 'caller', language: 'ja' });
  const { advisor, lead, ...unnamed } = review;
  expect([advisor, lead]).toEqual(['static_review', 'none']);
  expect((await start(unnamed)).input).toMatchObject({
    advisor: { provider: 'static_review' },
    lead: { provider: 'caller' },
    settings: { language: 'ja' },
  });
});

test('a guest may name the agents of the server, and no other without a grant', async () => {
  const { start } = world({ advisor: 'static_review', lead: 'codex' });
  expect(
    (await start({ ...review, lead: undefined, advisor: 'auto' }, { speaker: acme })).input,
  ).toMatchObject({
    advisor: { provider: 'static_review' },
  });
  await expect(start({ ...review, advisor: 'claude_code' }, { speaker: acme })).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('the folder of a provider that the server was started with needs the grant', async () => {
  await world().start(review, { speaker: acme });
  const { start } = world({ advisor: './my-agent' });
  await expect(start(review, { speaker: acme })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('the advisor ./my-agent'),
  });
});

test('a server that stops, or a caller that leaves, stops the start', async () => {
  const { start } = world();
  const left = AbortSignal.abort(new Error('left'));
  await expect(start(review, { signal: left })).rejects.toThrow('left');
  const stopping = world({}, AbortSignal.abort(new Error('the server stops')));
  await expect(stopping.start(review)).rejects.toThrow('the server stops');
});

/** A server of an empty folder, and an engine that takes every run. */
function world(choices: ServerChoices = {}, signal = new AbortController().signal) {
  const root = scratchFolder();
  const served = {
    cwd: root,
    env: { HOME: root, PATH: '/usr/bin:/bin', XDG_STATE_HOME: join(root, 'state') },
    clock: createManualClock(),
  };
  const starts: unknown[] = [];
  const engine: Pick<Engine, 'start'> = {
    async start(home, run) {
      starts.push(run);
      return { runId: 'r1', path: join(home, 'runs', 'r1') };
    },
  };
  const callOf = (request: StartRequest, changes: Partial<StartCall>): StartCall => ({
    speaker: owner,
    home: join(root, '.collab'),
    request,
    skills: [],
    signal: new AbortController().signal,
    owner: { tenant: 'acme', conversation: 'first', token: null },
    ...changes,
  });
  const server = { served, choices, signal };
  return {
    starts,
    folder: { name: root.split('/').at(-1) },
    submit: (request: StartRequest) => submitServed(callOf(request, {}), server, engine),
    start: (request: StartRequest, changes: Partial<StartCall> = {}) =>
      startServed(callOf(request, changes), server),
  };
}
