/** The MCP route of the installed `collab serve`: tenants and their grants, both generations, kills, callers that leave. */
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { change, verdict, wholeAnswer } from '../../fixtures/review-answers.ts';
import { test, type Place } from '../place.ts';
import { serve } from '../serve/served.ts';
import { until } from '../started-command.ts';
import { faulty, lines, undecided } from './faulty-project.ts';
import { generations, openHost, type HostOptions, type ServedTenant } from './host.ts';

async function tokenFor(place: Place, tenant: string, grants: string): Promise<string> {
  const may = grants === '' ? [] : ['--may', grants];
  const { stdout } = await place.collab(['serve', 'token', 'create', '--tenant', tenant, ...may]);
  return stdout.trim();
}

test('hosts of two tenants and the owner: each has its own runs, its grants and its gates', async ({
  place,
  expect,
}) => {
  const { lead, advisor } = faulty(place);
  const { url } = await serve(place, ['--require-token', '--advisor', advisor, '--lead', lead]);
  const acme = {
    url,
    tenant: 'acme',
    token: await tokenFor(place, 'acme', `run,repo:${basename(place.folder)}`),
  };
  const other = { url, tenant: 'other', token: await tokenFor(place, 'other', '') };
  const owner = { url, tenant: 'local', token: await tokenFor(place, 'local', 'owner') };
  for (const wrong of [
    { url, tenant: 'acme' },
    { ...acme, token: `${acme.token}x` },
    { ...other, tenant: 'acme' },
  ]) {
    for (const generation of generations)
      await expect(openHost(place, { generation, at: wrong })).rejects.toThrow(/401|404|did not offer/);
  }

  let run = '';
  for (const generation of generations) {
    const host = await openHost(place, { generation, at: acme });
    const waiting = await host.call('review', { lead: 'caller' });
    expect(waiting.head).toMatchObject({ state: 'waiting', question: 'lead_turn' });
    ({ run = '' } = waiting.head);
    expect(await host.refusal('answer', { run, answer: '' })).toBe('the answer is empty');
    const opinions = ['F1', 'F2'].map((id) => verdict('confirm', 'None', id)).join('\n');
    const ended = await host.call('answer', { run, answer: opinions });
    expect(ended.head).toMatchObject({ run, state: 'ended', outcome: 'findings' });
    expect((await host.call('findings', { run })).text).toMatch(/line 1[^]*line 2/);
    expect((await host.call('status')).head).toMatchObject({ run });
    const { contents } = await host.client.readResource({ uri: `collab://runs/${run}/result` });
    expect(JSON.parse(String(Object(contents[0]).text))).toMatchObject({ run_id: run });
    expect(JSON.stringify([ended, contents])).not.toContain(place.folder);
    await host.close();
  }

  const stranger = await openHost(place, { at: other });
  for (const tool of ['status', 'findings', 'cancel'])
    expect(await stranger.refusal(tool, { run })).toMatch(/^There is no run in /);
  expect(await stranger.refusal('review')).toMatch(
    /^the working tree is not for [^]*--tenant other --may repo:/,
  );
  expect((await stranger.call('review', { diff: change, advisor: 'static_review' })).head).toMatchObject({
    state: 'ended',
  });
  await stranger.close();

  const gate = await withHost(place, { at: acme }, (host) => host.call('fix', { run, findings: ['1', '2'] }));
  expect(gate.head).toMatchObject({ state: 'waiting', question: 'gate' });
  const page = `${url}/#/c/`;
  expect(gate.head['next']).toContain(page);
  const decide = (options: HostOptions) =>
    withHost(place, options, (host) => host.refusal('answer', { run: gate.head['run'], answer: 'apply' }));
  // A call of 2025 stands alone, so the server does not know that its host has forms.
  for (const [options, why] of [
    [{ generation: '2025', at: acme, person: () => 'apply' }, 'this host cannot ask the person'],
    [{ generation: '2026', at: acme }, 'this host cannot ask the person'],
    [{ generation: '2026', at: acme, person: () => null }, 'the person has not decided'],
  ] as const) {
    const refused = await decide(options);
    expect(refused).toContain(`the gate of ${gate.head['run']} stays closed: ${why}`);
    expect(refused).toContain(page);
  }
  expect(await decide({ at: acme, person: () => 'apply' })).toMatch(
    /is not for the tenant acme[^]*apply,run/,
  );
  expect(place.read('src/one.js')).toContain('one = 0');
  const left = await withHost(place, { at: acme, person: () => 'leave' }, (host) =>
    host.call('answer', { run: gate.head['run'] }),
  );
  expect(left.head).toMatchObject({ state: 'ended' });

  const applied = await withHost(place, { at: owner, person: () => 'apply' }, async (host) => {
    const reviewed = await host.call('review', { effort: 'quick' });
    const fix = await host.call('fix', { run: reviewed.head['run'], findings: ['1', '2'] });
    return host.call('answer', { run: fix.head['run'] });
  });
  expect(applied.head).toMatchObject({ state: 'ended' });
  expect(place.read('src/one.js')).toBe(`export const one = 1;\n${lines[1]}\n`);
}, 240_000);

test('a server that is killed, and callers that leave, lose no run', async ({ place, expect }) => {
  const turns = [{ repeat: 'forever', answer: wholeAnswer, delay_ms: 1500 }];
  place.write('script.yaml', stringify({ turns }));
  const served = await serve(place, ['--advisor', 'rehearsal:script.yaml']);
  const at = { url: served.url, tenant: 'local' };
  const slow = { diff: change, effort: 'quick' };
  for (const generation of generations) {
    const host = await openHost(place, { generation, at });
    const started = await host.client.callTool({ name: 'review', arguments: { ...slow, wait_seconds: 0 } });
    expect(textOf(started)).toMatch(/\nstate: running\n/);
    await served.kill();
    await served.start();
    // No session was lost: the same client continues.
    expect((await host.call('status')).head).toMatchObject({ state: 'ended', outcome: 'findings' });

    const before = place.runs().length;
    const leaving = new AbortController();
    const call = host.client.callTool({ name: 'review', arguments: slow }, { signal: leaving.signal });
    await until('a run', () => place.runs().length > before);
    leaving.abort();
    await expect(call).rejects.toThrow();
    expect((await host.call('status')).head).toMatchObject({ state: 'ended', outcome: 'findings' });
    await host.close();
  }
  expect(served.stderr()).toBe('');
}, 240_000);

test('a host that follows tasks gets one for each run, and answers its gate', async ({ place, expect }) => {
  const { lead, advisor } = faulty(place);
  const { url } = await serve(place, ['--advisor', advisor, '--lead', lead]);
  const at = { url, tenant: 'local' };
  const call = (name: string, args: object) => ask(at, 'tools/call', { name, arguments: args });
  const settled = async ({ taskId }: Answer): Promise<Answer> => {
    const task = await ask(at, 'tasks/get', { taskId });
    return task['status'] === 'working' ? settled(task) : task;
  };

  const reviewing = await call('review', { effort: 'quick' });
  expect(reviewing).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
  const reviewed = await settled(reviewing);
  expect(reviewed['status']).toBe('completed');
  const report = textOf(reviewed['result']);
  expect(report).toMatch(/outcome: findings[^]*line 1/);
  const run = /run: (\S+)/.exec(report)?.[1];

  const fixing = await call('fix', { run, findings: ['1', '2'] });
  const { taskId } = fixing;
  const asked = await settled(fixing);
  expect(asked).toMatchObject({ taskId, status: 'input_required' });
  const [[key, form] = ['', {}]] = Object.entries(Object(asked['inputRequests']));
  expect(JSON.stringify(form)).toMatch(/elicitation\/create[^]*\+export const one = 1;/);
  const answer = (action: string, words: string, named = key) =>
    ask(at, 'tasks/update', { taskId, inputResponses: { [named]: { action, content: { answer: words } } } });
  expect(await answer('accept', 'perhaps')).toMatchObject({ code: -32602 });
  for (const ignored of [answer('decline', 'apply'), answer('accept', 'apply', 'gate-0')])
    expect(await ignored).toMatchObject({ resultType: 'complete' });
  expect(await settled(fixing)).toMatchObject({ status: 'input_required' });
  expect(place.read('src/one.js')).toContain('one = 0');
  await answer('accept', 'apply');
  expect((await settled(fixing))['status']).toBe('completed');
  expect(place.read('src/one.js')).toContain('one = 1');

  const foreign = await ask({ ...at, tenant: 'acme' }, 'tasks/get', { taskId });
  expect(foreign).toMatchObject({ code: -32602, message: `There is no task ${taskId}` });
  expect(await ask(at, 'tasks/get', { taskId }, {})).toMatchObject({ code: -32021 });

  const waiting = await call('review', { ...undecided(place), change: undefined, diff: change });
  expect(textOf((await settled(waiting))['result'])).toMatch(/state: waiting\nquestion: lead_turn/);
  await ask(at, 'tasks/cancel', { taskId: waiting.taskId });
  expect((await settled(waiting))['status']).toBe('cancelled');
}, 240_000);

const answerSchema = z.looseObject({ taskId: z.string().default('') });
type Answer = z.infer<typeof answerSchema>;
const rpcSchema = z.looseObject({ result: answerSchema.optional(), error: answerSchema.optional() });

const withTasks = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A request of the newer generation, as a host that follows tasks sends it. Returns the result or the error. */
async function ask(
  { url, tenant }: ServedTenant,
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: object = withTasks,
): Promise<Answer> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const answer = await fetch(`${url}/api/tenants/${tenant}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params['name'] ?? params['taskId']),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
  });
  const { result, error } = rpcSchema.parse(await answer.json());
  return result ?? answerSchema.parse(error);
}

async function withHost<Result>(
  place: Place,
  options: HostOptions,
  act: (host: Awaited<ReturnType<typeof openHost>>) => Promise<Result>,
): Promise<Result> {
  const host = await openHost(place, options);
  try {
    return await act(host);
  } finally {
    await host.close();
  }
}

const textSchema = z.looseObject({ content: z.tuple([z.looseObject({ text: z.string() })]) });

function textOf(result: unknown): string {
  return textSchema.parse(result).content[0].text;
}
