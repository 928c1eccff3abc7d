import { expect, test } from 'vitest';
import { owner } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { ConversationPlace } from '../conversations/conversations.ts';
import type { RunRequest } from '../routes/run-request.ts';
import type { FrameSource } from '../streams/event-stream-port.ts';
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

test('a run that is refused, or cannot be stored, is a stream with its reason, for returning readers too', async () => {
  const bug = new Error('the password is 12345');
  const server = scriptedServer({ startsWith: bug });
  const refused = { ...request, wanted: { kind: 'refused', message: 'Did you mean /review?' } } as const;
  const first = await server.runs.begin(place, refused);
  const second = await server.runs.begin(place, request);
  expect(await textOf(first)).toContain('Did you mean /review?');
  expect(await textOf(second)).not.toContain('12345');
  expect(server.faults).toEqual([bug]);
  expect(await server.runs.stream(place, first.runId)).toBe(first);
});

test('a run is submitted once, and its stream ends when a worker has left it', async () => {
  const server = scriptedServer({ staysValid: true });
  const source = await server.runs.begin(place, request);
  expect([source.runId, server.news]).toEqual([
    'first',
    [{ kind: 'submitted', runId: 'first', tenant: 'acme' }],
  ]);
  expect(await textOf(source)).toBe('the last frame');
  expect(server.awaited).toEqual(['first']);
  await server.runs.over(place, 'second');
  expect(server.awaited).toEqual(['first', 'second']);
});

test('a file that is sent along, and a conversation with another run, are refused', async () => {
  const files = [{ name: 'a', mimeType: 'text/plain', bytes: new Uint8Array() }];
  const server = scriptedServer({ startsWith: new CollabError('locked', 'the row of the conversation') });
  await expect(server.runs.start(place, { ...request, files })).rejects.toMatchObject({ code: 'usage' });
  await expect(server.runs.start(place, request)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('Another run is active in this conversation'),
  });
  expect(server.news).toEqual([]);
});

test('the runs of a conversation are found in the database, the newest first', async () => {
  const server = scriptedServer({ runs: { newer: 'running', older: 'ended' } });
  expect(await server.runs.newest(place)).toBe('newer');
  expect((await server.runs.stream(place, 'older'))?.runId).toBe('older');
  expect(await server.runs.stream(place, 'another')).toBeNull();
  expect(await scriptedServer().runs.newest(place)).toBeNull();
});

test('a cancel ends the newest run if it is the one that is meant', async () => {
  const server = scriptedServer({ runs: { newer: 'running', older: 'running' } });
  expect(await server.runs.cancel(place, 'older')).toBe('another_runs');
  expect(server.cancelled).toEqual([]);
  expect(await server.runs.cancel(place, 'newer')).toBe('asked');
  expect(await server.runs.cancel(place, null)).toBe('asked');
  expect(server.cancelled).toEqual(['newer', 'newer']);
  for (const runs of [{}, { newer: 'ended' }] as const) {
    const idle = scriptedServer({ runs });
    expect([await idle.runs.cancel(place, null), await idle.runs.cancel(place, 'newer')]).toEqual([
      'nothing_runs',
      'nothing_runs',
    ]);
    expect(idle.cancelled).toEqual([]);
  }
});

interface Script {
  readonly startsWith?: Error;
  readonly staysValid?: boolean;
  /** The runs that the token has before. */
  readonly stored?: readonly string[];
  /** The runs of the conversation with their states, newest first. */
  readonly runs?: Readonly<Record<string, 'running' | 'ended'>>;
  readonly refuses?: { readonly runId: string; readonly fault: Error };
}

/** Stores the run `first`; its token is revoked meanwhile. */
function scriptedServer({ stored = [], refuses, startsWith, staysValid = false, runs = {} }: Script = {}) {
  const known = Object.keys(runs).map((runId) => ({ runId, path: runId }));
  const open = [...stored];
  const cancelled: string[] = [];
  const faults: unknown[] = [];
  const awaited: string[] = [];
  const news: unknown[] = [];
  const started: unknown[] = [];
  const watched: (() => void)[] = [];
  let isValid = true;
  const options = {
    clock: createManualClock(),
    projection: {},
    hidePaths: () => null,
    streams: { source: sourceOf },
    tenantRuns: {
      of: async () => known,
      find: async (_place: unknown, wanted: string) => known.find(({ runId }) => runId === wanted) ?? null,
    },
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
      status: async ({ runId }: { readonly runId: string }) => ({ state: runs[runId] }),
      untilFree: async ({ runId }: { readonly runId: string }) => void awaited.push(runId),
    },
    onNews: (one: unknown) => void news.push(one),
    onFault: (error: unknown) => faults.push(error),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the few methods that are called
  const created = createDatabaseRuns(options as unknown as DatabaseRunsOptions);
  return { runs: created, cancelled, faults, started, watched, awaited, news };
}

/** A stream of one frame. */
function sourceOf({ runId }: { readonly runId: string }) {
  return {
    runId,
    endSeq: () => 1,
    async *read() {
      yield { lastSeq: 1, bytes: Buffer.from('the last frame') };
    },
  };
}

async function textOf(source: FrameSource): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of source.read(0, new AbortController().signal)) parts.push(bytes);
  return Buffer.concat(parts).toString();
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
