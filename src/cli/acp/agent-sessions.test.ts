/** Sessions and prompts of the agent as the SDK's client meets them; no run is driven. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  client,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { consultInput, consultResult, savedRun } from '../../runs/folder/saved-runs.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { version } from '../../version.ts';
import { sessionIn } from '../command.test-helper.ts';
import { readCommand, type Program } from '../program.ts';
import { sampleKey } from '../reviewed.test-helper.ts';
import { createAcpAgent } from './agent.ts';
import { availableCommands } from './commands.ts';
import { message } from './run-updates.ts';
import { appendEntry, readStoredSession, type SessionEntry } from './session-store.ts';

const at = '2026-11-21T09:30:00.000Z';
const clock = { ...systemClock, now: () => Date.parse(at) };

interface EditorHow {
  readonly read?: Program['read'];
  readonly person?: (asked: RequestPermissionRequest) => Promise<string>;
}

async function createEditor({ read = readCommand, person }: EditorHow = {}) {
  const [root, home] = [scratchFolder(), scratchFolder()];
  const { session, printed } = sessionIn({ root, env: { HOME: home } }, { clock });
  const updates: SessionUpdate[] = [];
  const app = client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => void updates.push(params.update))
    .onRequest('session/request_permission', async ({ params }) => ({
      outcome: { outcome: 'selected', optionId: (await person?.(params)) ?? 'leave' },
    }));
  const { signal: gone } = new AbortController();
  const here = app.connect(createAcpAgent(session, { read, gone, drive: async () => undefined }));
  onTestFinished(() => here.close());
  const { agent } = here;
  const told = await agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return {
    told,
    root,
    home,
    session,
    updates,
    agent,
    errors: () => printed().err,
    open: async () => (await agent.request('session/new', { cwd: root, mcpServers: [] })).sessionId,
    prompt: async (sessionId: string, text: string) =>
      (await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })).stopReason,
    load: (sessionId: string, cwd = root) =>
      agent.request('session/load', { sessionId, cwd, mcpServers: [] }),
    store: (id: string, entry: SessionEntry, cwd = root) => appendEntry(session, { id, cwd }, entry),
    stored: (id: string) => readStoredSession(session, id)?.entries,
    texts: () =>
      updates.flatMap((update) =>
        update.sessionUpdate === 'agent_message_chunk' ? [Object(update.content).text] : [],
      ),
  };
}

/** Returns the error as the editor gets it. */
async function errorOf(act: Promise<unknown>): Promise<unknown> {
  const error: unknown = await act.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof RequestError ? [error.code, error.message, error.data] : error;
}

const notFound = (id: string) => [-32_002, 'Resource not found', { sessionId: id }];
const announced = { sessionUpdate: 'available_commands_update', availableCommands };

test('it says what it can', async () => {
  expect((await createEditor()).told).toEqual({
    protocolVersion: 1,
    agentInfo: { name: 'collab', title: 'collab', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
    authMethods: [],
  });
});

test('a new session is known before its commands are announced, and stored with its first prompt', async () => {
  const { open, updates, stored, prompt, texts } = await createEditor();
  const id = await open();
  expect(id).toMatch(/^20261121-093000-[a-z\d]{4}$/);
  expect(updates).toEqual([]);
  await expect.poll(() => updates).toEqual([announced]);
  expect(stored(id)).toBe(undefined);
  expect(await prompt(id, `/nothing ${sampleKey}`)).toBe('end_turn');
  const commands = 'The commands are /review, /consult, /run, /fix, /continue, /cancel, /help.';
  const said = `there is no command /nothing\n\n${commands}`;
  expect(texts()).toEqual([said]);
  expect(stored(id)).toEqual([
    { kind: 'prompt', at, text: expect.stringMatching(/^\/nothing (?!.*sk-ant)/) },
    { kind: 'said', text: said },
  ]);
});

test('a text that collab says has no secret and no control character', async () => {
  const { open, prompt, texts } = await createEditor();
  await prompt(await open(), `/cancel x "${sampleKey}\u001b[2J"`);
  expect(texts()).toEqual([
    expect.stringMatching(/^"(?!.*sk-ant).*␛\[2J" is one word too many\n\nName one run, or none\.$/),
  ]);
});

const invalid = (cwd: string, why: string) => [-32_602, `Invalid params: cwd: ${why}`, { cwd }];

test('a folder has to be the absolute path of a folder', async () => {
  const { agent, root } = await createEditor();
  const opening = (cwd: string) => errorOf(agent.request('session/new', { cwd, mcpServers: [] }));
  const none = join(root, 'none');
  expect(await opening('src')).toEqual(invalid('src', '"src" is not absolute'));
  expect(await opening(none)).toEqual(invalid(none, `there is no folder "${none}"`));
  expect(await opening('/dev/null')).toEqual(invalid('/dev/null', '"/dev/null" is not a folder'));
});

test('a session that was never opened is not found', async () => {
  const { agent, prompt, load, root } = await createEditor();
  const acts = [
    prompt('nowhere', 'x'),
    load('nowhere'),
    agent.request('session/resume', { sessionId: 'nowhere', cwd: root, mcpServers: [] }),
  ];
  expect(await Promise.all(acts.map(errorOf))).toEqual(acts.map(() => notFound('nowhere')));
  await agent.notify('session/cancel', { sessionId: 'nowhere' });
});

test('a session that is loaded shows its prompts, what was said, and its runs as they are now', async () => {
  const { root, load, store, updates, prompt, texts } = await createEditor();
  savedRun(join(root, '.collab'), 'r1', consultInput(), consultResult());
  store('s1', { kind: 'prompt', at, text: '/consult design why?' });
  store('s1', { kind: 'run', run: 'r0' });
  store('s1', { kind: 'said', text: 'refused' });
  store('s1', { kind: 'run', run: 'r1' });
  expect(await load('s1')).toEqual({});
  const report = updates[3];
  expect(updates).toEqual([
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: '/consult design why?' } },
    message('There is no run r0; the nearest is r1\n'),
    message('refused'),
    expect.objectContaining({ sessionUpdate: 'agent_message_chunk' }),
  ]);
  expect(texts()[2]).toMatch(/^# Consult on design: [^]*Sound\./);
  await expect.poll(() => updates.at(-1)).toEqual(announced);
  updates.length = 0;
  expect(await prompt('s1', '/continue')).toBe('end_turn');
  expect(updates).toEqual([report]);
  expect(texts()).toHaveLength(1);
});

test('a session that is resumed shows nothing, and has its runs', async () => {
  const { root, agent, store, updates, prompt, texts } = await createEditor();
  savedRun(join(root, '.collab'), 'r1', consultInput(), consultResult());
  store('s1', { kind: 'prompt', at, text: 'x' });
  store('s1', { kind: 'run', run: 'r1' });
  store('s1', { kind: 'said', text: 'refused' });
  expect(await agent.request('session/resume', { sessionId: 's1', cwd: root, mcpServers: [] })).toEqual({});
  await expect.poll(() => updates).toEqual([announced]);
  await prompt('s1', '/continue');
  expect(texts()).toEqual([expect.stringMatching(/^# Consult on design: /)]);
});

test('a session belongs to its folder', async () => {
  const { root, home, load, store } = await createEditor();
  store('s1', { kind: 'prompt', at, text: 'x' });
  const text = `Invalid params: cwd: the session belongs to ${root}`;
  expect(await errorOf(load('s1', home))).toEqual([-32_602, text, { cwd: root }]);
  expect(await load('s1', `${home}/../${root.split('/').at(-1)}`)).toEqual({});
});

test('sessions are listed with their titles and times, also those of one folder', async () => {
  const { root, home, agent, store } = await createEditor();
  for (const [id, cwd, second] of [
    ['s1', root, 3],
    ['s2', home, 2],
  ] as const) {
    store(id, { kind: 'prompt', at, text: `title of ${id}` }, cwd);
    utimesSync(join(home, '.local/state/collab/sessions', `${id}.jsonl`), second, second);
  }
  const [one, two] = [
    { sessionId: 's1', cwd: root, title: 'title of s1', updatedAt: '1970-01-01T00:00:03.000Z' },
    { sessionId: 's2', cwd: home, title: 'title of s2', updatedAt: '1970-01-01T00:00:02.000Z' },
  ];
  const list = (params: object) => agent.request('session/list', params);
  expect(await list({})).toEqual({ sessions: [one, two], nextCursor: null });
  expect(await list({ cwd: null, cursor: null })).toEqual({ sessions: [one, two], nextCursor: null });
  expect(await list({ cwd: `${home}/.` })).toEqual({ sessions: [two], nextCursor: null });
  expect(await list({ cursor: '3000.s1' })).toEqual({ sessions: [two], nextCursor: null });
  expect(await errorOf(list({ cursor: 'x' }))).toEqual([
    -32_602,
    'Invalid params: the cursor is not from a list of sessions. Send the nextCursor of the page before, or none.',
    undefined,
  ]);
});

/** A person who is asked and answers only when the test says so. */
function slowPerson() {
  const answers: ((option: string) => void)[] = [];
  return {
    answers,
    person: () => new Promise<string>((resolve) => void answers.push(resolve)),
  };
}

const atWork = [
  -32_600,
  'Invalid request: a prompt of this session is at work: wait for it, or cancel it',
  undefined,
];
const left = 'Nothing was started: it was not allowed.\n';

test('one prompt is at work in a session', async () => {
  const { answers, person } = slowPerson();
  const { open, prompt, load, texts, stored } = await createEditor({ person });
  const id = await open();
  const first = prompt(id, '/fix F1');
  await expect.poll(() => answers.length).toBe(1);
  expect(await errorOf(prompt(id, '/help'))).toEqual(atWork);
  expect(await errorOf(load(id))).toEqual(atWork);
  expect(texts()).toEqual([]);
  answers[0]?.('leave');
  expect(await first).toBe('end_turn');
  expect(texts()).toEqual([left]);
  expect(stored(id)).toEqual([
    { kind: 'prompt', at, text: '/fix F1' },
    { kind: 'said', text: left },
  ]);
  expect(await prompt(id, '/help')).toBe('end_turn');
  expect(await load(id)).toEqual({});
});

test('eight prompts are at work in a server', async () => {
  const { answers, person } = slowPerson();
  const { open, prompt } = await createEditor({ person });
  const ids = await Promise.all(Array.from({ length: 9 }, open));
  const [ninth = '', ...eight] = ids.toReversed();
  const prompts = eight.map((id) => prompt(id, '/fix F1'));
  await expect.poll(() => answers.length).toBe(8);
  expect(await errorOf(prompt(ninth, '/help'))).toEqual([
    -32_600,
    'Invalid request: 8 prompts are at work: wait for one, or cancel it',
    undefined,
  ]);
  answers[0]?.('leave');
  await prompts[0];
  expect(await prompt(ninth, '/help')).toBe('end_turn');
  answers.forEach((answer) => answer('leave'));
  expect(await Promise.all(prompts)).toEqual(eight.map(() => 'end_turn'));
});

test('a prompt is cancelled by its session, also when that is closed', async () => {
  for (const how of ['session/cancel', 'session/close'] as const) {
    const { answers, person } = slowPerson();
    const { agent, open, prompt, texts } = await createEditor({ person });
    const sessionId = await open();
    const prompting = prompt(sessionId, '/fix F1');
    await expect.poll(() => answers.length).toBe(1);
    if (how === 'session/cancel') await agent.notify(how, { sessionId });
    else await agent.request(how, { sessionId });
    expect(await prompting).toBe('cancelled');
    expect(texts()).toEqual([left]);
    const next = await errorOf(prompt(sessionId, '/help'));
    expect(next).toEqual(how === 'session/close' ? notFound(sessionId) : null);
  }
});

test('a start that is cancelled starts no run', async () => {
  const { agent, home, open, prompt, texts, errors } = await createEditor();
  mkdirSync(join(home, '.config/collab'), { recursive: true });
  writeFileSync(join(home, '.config/collab/collab.config.yaml'), 'advisor: rehearsal\n');
  const sessionId = await open();
  const prompting = prompt(sessionId, 'Is it small?');
  await agent.notify('session/cancel', { sessionId });
  expect(await prompting).toBe('cancelled');
  expect(texts()).toEqual(['Cancelled: no run was started.\n']);
  expect(errors()).toBe('');
});

test('a refusal stays one, whether its prompt was cancelled or not', async () => {
  const { agent, open, prompt, texts } = await createEditor({
    read: () => {
      throw new CollabError('cancelled', 'git was stopped');
    },
  });
  const sessionId = await open();
  expect(await prompt(sessionId, '/review')).toBe('end_turn');
  const prompting = prompt(sessionId, 'Is it small?');
  await agent.notify('session/cancel', { sessionId });
  expect(await prompting).toBe('cancelled');
  expect(texts()).toEqual([
    'git was stopped',
    'Codex is not installed: there is no `codex` on PATH.\n\nnpm install --global @openai/codex',
  ]);
});

test('a session without a prompt at work can be closed', async () => {
  const { agent, open, prompt } = await createEditor();
  const sessionId = await open();
  expect(await agent.request('session/close', { sessionId })).toEqual({});
  expect(await errorOf(prompt(sessionId, '/help'))).toEqual(notFound(sessionId));
});

test('a fault of ours is an internal error, with its details on standard error', async () => {
  const { open, prompt, errors } = await createEditor({
    read: () => {
      throw new TypeError(`broken\u001b ${sampleKey}`);
    },
  });
  expect(await errorOf(prompt(await open(), '/review'))).toEqual([-32_603, 'Internal error', undefined]);
  expect(errors()).toMatch(/^acp: broken␛ (?!.*sk-ant).*\n$/);
});

test('a file that cannot be written is named', async () => {
  const { open, prompt, home, errors } = await createEditor();
  const id = await open();
  mkdirSync(join(home, '.local/state/collab/sessions', `${id}.jsonl`), { recursive: true });
  expect(await errorOf(prompt(id, '/help'))).toEqual([
    -32_602,
    expect.stringContaining(`${id}.jsonl`),
    undefined,
  ]);
  expect(errors()).toBe('');
});
