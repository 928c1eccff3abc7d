import { expect, test } from 'vitest';
import { owner, type Speaker } from '../../access/speaker.ts';
import { openRun } from '../../runs/folder/opened-run.ts';
import type { ServerContext } from '../routes/server-context.ts';
import { runsOfCaller } from './caller-of-mcp.ts';
import type { FolderRuns } from './tenant-runs.ts';

const guest: Speaker = { kind: 'guest', tenant: 'acme', grants: [], providers: [], isServerOpen: false };

test('a person at the machine has commands; one of a tenant has the page and the server', () => {
  const page = 'http://127.0.0.1:8765/#/c/a%20b/r/r1';
  const [own, tenants] = [callerOf('local', owner).byHand, callerOf('acme', guest).byHand];
  expect([own.answer('r1'), own.show('r1'), own.resume('r1'), own.apply('r1')]).toEqual([
    `on the page ${page}`,
    page,
    'a person continues it at a terminal: collab resume r1',
    'collab apply r1',
  ]);
  expect([tenants.show('r1'), tenants.resume('r1'), tenants.apply('r1')]).toEqual([
    page,
    'call status with run r1 again: its server continues it',
    null,
  ]);
});

test('an agent that calls for another agent is refused', () => {
  const host: Speaker = { kind: 'host', behind: owner };
  expect(() => callerOf('local', host)).toThrow(expect.objectContaining({ code: 'forbidden' }));
});

test('a call that waits returns when its caller leaves or the server stops, and another run is not found', async () => {
  const run = openRun({ runId: 'r1', path: '/runs/r1' });
  const never = new AbortController().signal;
  for (const [stopping, left] of [
    [AbortSignal.abort(), never],
    [never, AbortSignal.abort()],
  ] as const)
    await callerOf('local', owner, stopping).waitWhileDriven(run, left);
  const stop = new AbortController();
  const waiting = callerOf('local', owner, stop.signal).waitWhileDriven(run, never);
  stop.abort();
  await waiting;
  const other = openRun({ runId: 'r2', path: '/runs/r2' });
  await expect(callerOf('local', owner).waitWhileDriven(other, never)).rejects.toMatchObject({
    code: 'run_not_found',
    message: 'There is no run r2',
  });
});

/** The runs of a caller: `r1`, which this server drives for ever. */
function callerOf(tenant: string, speaker: Speaker, stopping = new AbortController().signal) {
  const server = {
    conversations: { place: () => ({ home: '/runs' }), list: () => [] },
    runs: { over: () => new Promise(() => undefined) },
    engine: { untilFree: async () => 'free' },
    stopping,
  };
  const tenantRuns = { all: () => [{ runId: 'r1', path: '/runs/r1', conversationId: 'a b', known: null }] };
  return runsOfCaller(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
    server as unknown as ServerContext,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one method that is called
    tenantRuns as unknown as FolderRuns,
    { tenant, speaker, token: null, origin: 'http://127.0.0.1:8765' },
  );
}
