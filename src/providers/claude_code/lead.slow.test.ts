import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createArrivals } from '../../../test/upstream/loopback.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { LeadAgent, LeadOptions, LeadTurnRequest, LeadWork, Probe } from '../contract/contract.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { claudeCodeProvider } from './claude_code_client.ts';
import { howToInstallClaude } from './package-of-claude.ts';
import { doctorClaude } from './doctor.ts';
import { createClaudeLead } from './lead.ts';
import { openStateFolders } from './state-folders.ts';

const fake = resolve(import.meta.dirname, '../../../test/fixtures/bin/fake-claude.mjs');
const generous: TurnLimits = { firstSignMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
const agents: LeadAgent[] = [];
let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-lead-')));
  mkdirSync(join(root, 'repository/.git'), { recursive: true });
  mkdirSync(join(root, 'work'));
});

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The fake under its own name, started by this Node, because its PATH need not contain one. */
function program(name = 'claude'): string {
  const file = join(root, `${name}-bin`, name);
  mkdirSync(dirname(file), { recursive: true });
  const script = readFileSync(fake, 'utf8').replace(/^#!.*/, `#!${process.execPath}`);
  writeFileSync(`${file}.mjs`, script, { mode: 0o755 });
  return `${file}.mjs`;
}

function options(changes: Partial<LeadOptions> = {}): LeadOptions {
  return {
    env: { HOME: root, ANTHROPIC_API_KEY: 'sk-key', FOO_TOKEN: 'x', CLAUDECODE: '1', NODE_OPTIONS: '' },
    cwd: join(root, 'repository'),
    settings: { 'claude_code.path': program() },
    signal: new AbortController().signal,
    runId: 'run-1',
    model: null,
    stateFolder: join(root, 'state'),
    instructions: 'You lead.',
    limits: generous,
    ...changes,
  };
}

async function open(changes: Partial<LeadOptions> = {}): Promise<LeadAgent> {
  const agent = await claudeCodeProvider.openLead(options(changes));
  agents.push(agent);
  return agent;
}

async function ask(
  agent: LeadAgent,
  prompt: string,
  changes: Partial<Omit<LeadTurnRequest, 'work'>> & { readonly work?: Partial<LeadWork> } = {},
) {
  const events: EventBody[] = [];
  const bound: string[] = [];
  const { work, ...rest } = changes;
  const result = await agent.turn({
    prompt,
    callId: 'lead_a/1/1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    bind: async (id) => void bound.push(id),
    work: { kind: 'draft', phase: 'design', round: 1, access: 'read', folder: null, ...work },
    ...rest,
  });
  return { result, events, bound };
}

test('the program gets its prompt on its input, a listed environment, and the work folder', async () => {
  const agent = await open({
    model: 'opus',
    settings: { 'claude_code.path': program(), 'claude_code.base_url': 'http://127.0.0.1:9' },
  });
  const { result, bound } = await ask(agent, 'show', {
    work: { access: 'edit', folder: join(root, 'work') },
  });
  const shown = JSON.parse(result.kind === 'answered' ? result.text : '{}');
  expect(shown).toMatchObject({ cwd: join(root, 'work'), prompt: '[collab call lead_a/1/1]\n\nshow' });
  expect(shown.args).toEqual(
    expect.arrayContaining(['--session-id', bound[0], '--model', 'opus', '--restricted']),
  );
  expect(shown.args.join(' ')).not.toContain('show');
  expect(shown.env).toMatchObject({
    HOME: root,
    ANTHROPIC_API_KEY: 'sk-key',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    CLAUDE_CODE_MAX_RETRIES: '0',
  });
  expect(Object.keys(shown.env)).not.toEqual(expect.arrayContaining(['FOO_TOKEN']));
  expect(shown.env.CLAUDECODE).toBeUndefined();
});

test('a session is bound before the program starts, and resumed by its id', async () => {
  const agent = await open();
  const order: string[] = [];
  const id = '11111111-2222-4333-8444-555555555555';
  const { result } = await ask(agent, 'show', {
    sessionId: id,
    bind: async (bound) => void order.push(`bound ${bound}`),
    emit: (event) => order.push(event.type),
  });
  expect(order).toEqual(['session.bound', `bound ${id}`, 'turn.started', 'turn.ended']);
  expect(result.kind === 'answered' && JSON.parse(result.text).args).toEqual(
    expect.arrayContaining(['--resume', id]),
  );
});

test('a refused bind starts nothing', async () => {
  const agent = await open();
  const events: EventBody[] = [];
  const asked = ask(agent, 'answer', {
    bind: () => Promise.reject(new Error('the journal is full')),
    emit: (event) => events.push(event),
  });
  await expect(asked).rejects.toThrow('the journal is full');
  expect(events.map(({ type }) => type)).toEqual(['session.bound']);
});

interface Timing {
  /** The limits that the agent was opened with. */
  readonly opened?: Partial<TurnLimits>;
  /** The limits of the turn. */
  readonly limits?: TurnLimits;
  /** The program's state before each of the steps; null: it has started and is silent. */
  readonly sign: EventBody['type'] | null;
  /** How far the clock advances each time. */
  readonly stepsMs: readonly number[];
}

/** A turn with a clock that advances when the program has shown its sign, however long that takes. */
async function askInTime(word: string, { opened, limits, sign, stepsMs }: Timing) {
  const clock = createManualClock();
  const agent = await openAt(clock, { ...generous, ...opened });
  const file = join(root, `${word}-has-begun`);
  const events: EventBody[] = [];
  const signs = createArrivals();
  let shown = 0;
  const asked = ask(agent, `${word} ${file}`, {
    ...(limits !== undefined && { limits }),
    emit(event) {
      events.push(event);
      if (event.type === sign) signs.look((shown += 1));
    },
  });
  for (const ms of stepsMs) {
    if (sign === null) await vi.waitUntil(() => existsSync(file), { timeout: 20_000 });
    else await signs.until(shown + 1);
    await clock.advance(ms);
  }
  return { ...(await asked), events };
}

async function openAt(clock: Clock, limits: TurnLimits): Promise<LeadAgent> {
  const { identity } = await open();
  const { model, stateFolder, instructions } = options();
  const agent = createClaudeLead({
    identity,
    program: program(),
    env: { HOME: root },
    folders: openStateFolders(stateFolder, instructions),
    projectsFolder: join(root, 'projects'),
    model,
    limits,
    clock,
  });
  agents.push(agent);
  return agent;
}

test.each<readonly [string, Timing, { limit: string; message: string }]>([
  [
    'mute',
    { opened: { firstSignMs: 300 }, sign: null, stepsMs: [300] },
    { limit: 'first_sign', message: 'Claude Code did not start the turn in time' },
  ],
  [
    'silent',
    { opened: { idleMs: 300 }, sign: 'turn.started', stepsMs: [300] },
    { limit: 'idle', message: 'Claude Code fell silent' },
  ],
  [
    'silent',
    { opened: { firstByteMs: 300 }, sign: 'turn.started', stepsMs: [300] },
    { limit: 'first_byte', message: 'Claude Code got no byte of an answer from its model in time' },
  ],
  [
    'deaf',
    { opened: { idleMs: 300 }, sign: 'text.delta', stepsMs: [300] },
    { limit: 'idle', message: 'Claude Code fell silent after a partial answer' },
  ],
  [
    'drip',
    { opened: { totalMs: 900, idleMs: 300 }, sign: 'text.delta', stepsMs: [250, 250, 250, 250, 250, 100] },
    { limit: 'total', message: 'Claude Code did not finish in time after a partial answer' },
  ],
])('a program that is %s is ended at its limit', async (word, timing, expected) => {
  const { result, events, bound } = await askInTime(word, timing);
  expect(result).toEqual({ kind: 'timed_out', sessionId: bound[0], ...expected });
  expect(events.slice(-2)).toMatchObject([{ type: 'error', kind: 'timeout' }, { type: 'turn.ended' }]);
});

test('X001-10.4 the limits of a turn win over those that the agent was opened with', async () => {
  const limits = { ...generous, idleMs: 300 };
  const { result } = await askInTime('silent', { limits, sign: 'turn.started', stepsMs: [300] });
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
});

test.each([
  ['die', { kind: 'cut', message: 'Claude Code ended in the middle of the turn: out of luck' }],
  ['half', { kind: 'cut', message: 'Claude Code ended in the middle of the turn: exit code 0, signal none' }],
  ['refuse', { kind: 'unavailable', code: 'options', message: "error: unknown option '--restricted'" }],
])('a program that does "%s" instead of answering is told as such', async (word, expected) => {
  const { result, events } = await ask(await open(), word);
  expect(result).toMatchObject(expected);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(count('text.end')).toBe(count('text.start'));
  expect(events.at(-1)).toMatchObject({ type: 'turn.ended', stop_reason: 'error' });
});

test('an unknown line is kept as raw, and the answer is the same', async () => {
  const { result, events } = await ask(await open(), 'strange');
  expect(result).toMatchObject({ kind: 'answered', text: 'all the same', usage: null });
  const raw = events.flatMap((event) => (event.type === 'raw' ? [event.line] : []));
  expect(raw).toEqual([
    'no JSON at all',
    '{"type":"system","subtype":"brand_new","text":"hello"}',
    expect.stringContaining('parent_tool_use_id'),
  ]);
});

test('an answer is stored as soon as it arrives, for its own call and its attempts only', async () => {
  const agent = await open();
  let session = '';
  const asked = ask(agent, 'linger', { callId: 'lead_a/1/1', bind: async (id) => void (session = id) });
  const kept = { kind: 'answered', text: 'said, and not written', usage: null };
  await expect.poll(() => agent.harvest(session, 'lead_a/1'), { timeout: 20_000 }).toEqual(kept);
  const next = await open();
  expect(await next.harvest(session, 'lead_a/1/1')).toEqual(kept);
  expect(await next.harvest(session, 'lead_b/1')).toEqual({ kind: 'not_sent' });
  await agent.close();
  expect((await asked).result).toMatchObject({ kind: 'answered', text: 'said, and not written' });
});

test('a flood of events arrives completely and in order', async () => {
  const { result, events } = await ask(await open(), 'flood');
  const text = events.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
  expect(text).toBe(Array.from({ length: 20_000 }, (_, piece) => `${piece} `).join(''));
  expect(result).toMatchObject({ kind: 'answered', text: 'after the flood' });
});

test('if an event cannot be stored, the turn is stopped and rejects', async () => {
  const agent = await open();
  const asked = ask(agent, 'silent', {
    emit({ type }) {
      if (type === 'turn.started') throw new Error('the disk is full');
    },
  });
  await expect(asked).rejects.toThrow('the disk is full');
});

test('an abort before the turn and a close during it', async () => {
  const agent = await open();
  const gone = AbortSignal.abort(new Error('never mind'));
  await expect(ask(agent, 'answer', { signal: gone })).rejects.toThrow('never mind');
  let begun: (() => void) | undefined;
  const hasBegun = new Promise<void>((settle) => (begun = settle));
  const asked = ask(agent, 'silent', {
    emit: ({ type }) => (type === 'turn.started' ? begun?.() : undefined),
  });
  await hasBegun;
  await agent.close();
  expect((await asked).result).toMatchObject({ kind: 'cut', uncounted: false });
  expect((await ask(agent, 'answer')).result.kind).toBe('cut');
});

function probe(settings: Record<string, string>): Promise<Probe> {
  return claudeCodeProvider.probe(options({ settings }));
}

test('a probe says what is missing and what to do', async () => {
  expect(await probe({ 'claude_code.path': program() })).toEqual({
    ready: true,
    version: '9.8.7',
    login: 'Claude login',
    model: null,
  });
  expect(await probe({ 'claude_code.path': program('logged-out') })).toMatchObject({
    ready: false,
    code: 'auth',
  });
  expect(await probe({ 'claude_code.path': program('broken') })).toMatchObject({
    code: 'cli_missing',
    message: expect.stringContaining("unknown command 'auth'"),
  });
  expect(await probe({ 'claude_code.path': program('too-old') })).toMatchObject({
    code: 'cli_missing',
    message: expect.stringContaining('is too old: it does not support --restricted.'),
    hint: `Update it: ${howToInstallClaude().command}`,
  });
  expect(await probe({})).toMatchObject({ code: 'cli_missing', hint: howToInstallClaude().command });
  expect(await probe({ 'claude_code.path': join(root, 'nothing') })).toMatchObject({ code: 'cli_missing' });
  expect(
    await probe({ 'claude_code.path': program(), 'claude_code.base_url': 'not an address' }),
  ).toMatchObject({
    code: 'options',
    message: 'providers.claude_code.base_url is not an address: not an address',
  });
});

test('the doctor finds a lead, or says why there is none, and does not fail', async () => {
  expect(await doctorClaude(options())).toMatchObject([
    { name: 'program', state: 'ok' },
    { name: 'version', state: 'ok', text: expect.stringMatching(/^9\.8\.7 \(collab is tested with /) },
    { name: 'login', state: 'ok', text: 'Claude login' },
  ]);
  expect(await doctorClaude(options({ settings: {} }))).toMatchObject([
    { name: 'program', state: 'differs', text: expect.stringContaining('no lead') },
  ]);
});

test('a state folder in a repository is refused', async () => {
  const inside = join(root, 'repository/state');
  await expect(open({ stateFolder: inside })).rejects.toMatchObject({ code: 'state_folder' });
});
