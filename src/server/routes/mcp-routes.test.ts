import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { openRun } from '../../runs/folder/opened-run.ts';
import { prepareRehearsed, rehearse, wholeAnswer } from '../../runs/rehearsed-review.test-helper.ts';
import { Deferred } from '../../system/deferred.ts';
import { serveRuns, type Served } from '../served.test-helper.ts';
import type { RunPorts, StartCall } from '../runs/run-ports.ts';
import { mcpRoutes } from './mcp-routes.ts';
import type { ServerContext } from './server-context.ts';

const asks = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n' };
const answers = [{ answer: wholeAnswer }];

test('an agent starts a review for its person, without a skill, in a conversation of its own', async () => {
  const { served, starts } = await serveReviews([answers]);
  const told = await call(served, 'review', { change: 'main..HEAD' });
  expect(told).toMatchObject({ state: 'ended', outcome: 'clean' });
  expect(starts).toMatchObject([
    {
      speaker: { kind: 'host', behind: { kind: 'owner' } },
      request: { kind: 'review', changes: [{ kind: 'argument', words: 'main..HEAD' }] },
      skills: [],
      owner: { tenant: 'local', conversation: expect.stringMatching(/^mcp-/), token: null },
    },
  ]);
  const list = await (await fetch(served.url('/api/tenants/local/conversations'))).json();
  expect(list).toMatchObject({ conversations: [{ title: 'main..HEAD' }] });
  expect(served.faults).toEqual([]);
});

test('an agent of a tenant speaks as its guest, gets its runs alone, and no folder of the machine', async () => {
  const { served, starts } = await serveReviews([answers]);
  const { run } = await call(served, 'review', {}, 'acme');
  expect(starts[0]?.speaker).toMatchObject({ kind: 'host', behind: { kind: 'guest', tenant: 'acme' } });
  const stranger = await call(served, 'status', { run });
  expect(stranger.text).toContain('There is no run in ');
  const result = await send(served, 'resources/read', { uri: `collab://runs/${run}/result` }, 'acme');
  expect(result).toContain('rehearsal');
  expect(result).not.toContain(served.home);
});

test('of several runs, the named one is waited for, answered and canceled', async () => {
  const { served } = await serveReviews([
    [asks, ...answers],
    [asks, ...answers],
  ]);
  const first = await call(served, 'review');
  const second = await call(served, 'review');
  for (const { run } of [first, second])
    expect(await call(served, 'status', { run })).toMatchObject({
      run,
      state: 'waiting',
      question: 'reverse',
    });
  expect(await call(served, 'cancel', { run: second.run })).toMatchObject({
    run: second.run,
    state: 'ended',
  });
  const ended = await call(served, 'answer', { run: first.run, answer: '## CONTEXT\n\nOnly the yen.' });
  expect(ended).toMatchObject({ run: first.run, state: 'ended', outcome: 'clean' });
  const again = await call(served, 'answer', { run: first.run, answer: '## CONTEXT\n\nOnly the yen.' });
  expect(again.text).toBe(`${first.run} has no question\nCall status with run ${first.run}.`);
  expect(served.faults).toEqual([]);
});

test('a call waits for a run no longer than it says, and names the way to follow it', async () => {
  const { served } = await serveReviews([[{ fault: 'never' }]]);
  const { run, ...told } = await call(served, 'review', { wait_seconds: 0 });
  expect(told).toMatchObject({ state: 'running', next: `call status with run ${run}: it is still running` });
  // The answer to a cancel is the end, not that the run is about to stop.
  expect(await call(served, 'cancel', { run })).toMatchObject({ run, state: 'ended' });
});

test('a call waits for a run that the command line drives', async () => {
  const { served } = await serveReviews([]);
  const review = await rehearse({ turns: answers, env: { COLLAB_HOME: served.home } });
  const first = new Deferred<void>();
  const driving = review.drive(undefined, () => first.resolve());
  await first.promise;
  const run = basename(review.runFolder);
  expect(await call(served, 'status', { run })).toMatchObject({ run, state: 'ended', outcome: 'clean' });
  await driving;
});

test('a refusal is answered with its hint; a bug and a fault of the disk are only reported', async () => {
  const refusal = new CollabError('usage', 'no such advisor', { hint: 'Name another one.' });
  const bugs = [new Error('the password is 12345'), new CollabError('file', 'the disk refuses 12345')];
  const errors: Error[] = [refusal, ...bugs];
  const served = await serveRuns({
    ports: { startRun: () => Promise.reject(errors.shift() ?? new Error('called again')) },
  });
  expect((await call(served, 'review')).text).toBe('no such advisor\nName another one.');
  const told = [await call(served, 'review'), await call(served, 'review')];
  expect(JSON.stringify(told)).not.toContain('12345');
  expect(served.faults).toEqual(bugs);
});

test('a server with a database has no MCP yet', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing of it is read
  const routes = mcpRoutes({} as ServerContext, null);
  const answer = await routes.request('/api/tenants/local/mcp', { method: 'POST', body: '{}' });
  expect([answer.status, await answer.json()]).toEqual([
    409,
    expect.objectContaining({ hint: 'use collab mcp, or a server without --engine' }),
  ]);
});

/** Serves reviews with these answers of their advisors, one after the other; the caller answers their questions. */
async function serveReviews(turns: readonly (readonly object[])[]) {
  const starts: StartCall[] = [];
  const startRun: RunPorts['startRun'] = async (start) => {
    const review = await prepareRehearsed({
      turns: turns[starts.length] ?? [],
      lead: 'caller',
      env: { COLLAB_HOME: start.home },
    });
    starts.push(start);
    onTestFinished(() => review.close());
    return openRun({ runId: basename(review.runFolder), path: review.runFolder });
  };
  return { served: await serveRuns({ ports: { startRun } }), starts };
}

const textSchema = z.object({ result: z.object({ content: z.tuple([z.object({ text: z.string() })]) }) });

/** Calls a tool; returns its text, and the facts before the first empty line. */
async function call(
  served: Served,
  name: string,
  args: object = {},
  tenant?: string,
): Promise<Readonly<Record<string, string>>> {
  const answer = await send(served, 'tools/call', { name, arguments: args }, tenant);
  const { text } = textSchema.parse(JSON.parse(answer)).result.content[0];
  const [head = ''] = text.split('\n\n');
  return {
    ...Object.fromEntries([...head.matchAll(/^(\w+): (.*)$/gm)].map(([, key, fact]) => [key, fact])),
    text,
  };
}

/** Sends a request of the protocol's newer generation, which needs no session. */
async function send(served: Served, method: string, params: object, tenant = 'local'): Promise<string> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await fetch(served.url(`/api/tenants/${tenant}/mcp`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
      ...('uri' in params ? { 'mcp-name': String(params.uri) } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
  });
  return answer.text();
}
