import { expect, test } from 'vitest';
import { owner } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { RunRequest } from '../routes/run-request.ts';
import { createDatabaseRuns, type DatabaseRunsOptions } from './database-runs.ts';

test('a token that is revoked while its run is stored ends the run', async () => {
  const server = scriptedServer();
  await server.runs.start(place, request);
  await expect.poll(() => server.cancelled).toEqual(['first']);
  expect(server.faults).toEqual([]);
});

test('a token that is revoked later ends its runs, also those of an earlier server', async () => {
  const server = scriptedServer({ stored: ['earlier'], staysValid: true });
  await server.runs.recover();
  await server.runs.start(place, request);
  expect([server.watched.length, server.cancelled]).toEqual([1, []]);
  server.watched[0]?.();
  await expect.poll(() => server.cancelled).toEqual(['earlier', 'first']);
});

test('a run that cannot be cancelled is reported, and the other runs of its token end', async () => {
  const fault = new Error('the journal is damaged');
  const server = scriptedServer({ stored: ['damaged', 'other'], refuses: { runId: 'damaged', fault } });
  await server.runs.start(place, request);
  await expect.poll(() => server.cancelled).toEqual(['other', 'first']);
  expect(server.faults).toEqual([fault]);
});

test('a stream for which the queue has no room is refused before it begins', async () => {
  const full = new CollabError('queue_full', 'The queue is full');
  const server = scriptedServer({ startsWith: full });
  await expect(server.runs.begin(place, request)).rejects.toBe(full);
  expect(server.faults).toEqual([]);
});

test('a line of words is read as on the command line', async () => {
  const server = scriptedServer();
  await server.runs.start(place, { ...request, wanted: { kind: 'line', words: ['review', 'HEAD'] } });
  expect(server.started).toMatchObject([{ kind: 'review', changes: ['review', 'HEAD'] }]);
});

test.each([
  ['A conversation', { kind: 'turn' }],
  ['A consult', { kind: 'start', request: { kind: 'consult' } }],
])('%s is refused until a worker can drive it', async (what, wanted) => {
  const server = scriptedServer();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields that a refusal reads
  const starting = server.runs.start(place, { ...request, wanted } as RunRequest);
  await expect(starting).rejects.toMatchObject({
    code: 'usage',
    message: `${what} cannot start on a server with a database yet; this server starts reviews and runs of phases`,
  });
  expect(server.started).toEqual([]);
});

interface Script {
  readonly startsWith?: Error;
  readonly staysValid?: boolean;
  /** The runs that the token has before. */
  readonly stored?: readonly string[];
  readonly refuses?: { readonly runId: string; readonly fault: Error };
}

/** Stores the run `first`; its token is revoked meanwhile. */
function scriptedServer({ stored = [], refuses, startsWith, staysValid = false }: Script = {}) {
  const open = [...stored];
  const cancelled: string[] = [];
  const faults: unknown[] = [];
  const started: unknown[] = [];
  const watched: (() => void)[] = [];
  let isValid = true;
  const options = {
    clock: createManualClock(),
    projection: {},
    hidePaths: () => null,
    streams: { source: () => ({}) },
    tenantRuns: {},
    tokens: { isValid: () => isValid, watch: (_token: string, revoked: () => void) => watched.push(revoked) },
    ports: {
      readLine: (words: readonly string[]) => ({ kind: 'review', changes: words }),
      startRun(call: { readonly request: unknown }) {
        started.push(call.request);
        if (startsWith !== undefined) return Promise.reject(startsWith);
        isValid = staysValid;
        open.push('first');
        return Promise.resolve({ runId: 'first' });
      },
    },
    engine: {
      rows: { openOf: async () => open, openTokens: async () => ['abcdefghij'] },
      cancel({ runId }: { readonly runId: string }) {
        if (runId === refuses?.runId) return Promise.reject(refuses.fault);
        cancelled.push(runId);
        return Promise.resolve('asked');
      },
    },
    onFault: (error: unknown) => faults.push(error),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the few methods that are called
  const runs = createDatabaseRuns(options as unknown as DatabaseRunsOptions);
  return { runs, cancelled, faults, started, watched };
}

const place: ConversationPlace = { home: '/home', tenant: 'acme', id: 'first', folder: '/home/first' };

const request: RunRequest = {
  speaker: owner,
  token: 'abcdefghij',
  wanted: { kind: 'start', request: { kind: 'review', changes: [] } },
  title: '',
  skills: [],
  tokens: {},
  files: [],
};
