import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { EventBody } from '../../../events/collab-event.ts';
import type { ConsultRequest } from '../../../prompts/request.ts';
import type { Agent, TurnRequest, TurnResult } from '../../contract/contract.ts';
import type { TurnLimits } from '../../../config/settings.ts';
import { createManualClock } from '../../../system/manual-clock.test-helper.ts';
import { createAgent, promptLimit, type AgentOptions } from './agent.ts';
import { connect, type ConnectOptions, type ConnectResult } from '../launch/connect.ts';

const fake = resolve(import.meta.dirname, '../../../../test/fixtures/bin/fake-codex-app-server.mjs');
const generous: TurnLimits = { firstSignMs: 20_000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 };
const agents: Agent[] = [];

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
});

function server(...flags: readonly string[]): ConnectOptions {
  return {
    file: process.execPath,
    args: [fake, ...flags],
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 20_000,
  };
}

interface FakeAgent extends Agent {
  /** Process ids of the servers that were started. */
  readonly servers: readonly number[];
}

type Changes = Pick<Partial<AgentOptions>, 'clock' | 'limits' | 'interruptGraceMs'>;

async function open(changes: Changes = {}, ...flags: readonly string[]): Promise<FakeAgent> {
  const servers: number[] = [];
  const start = async (): Promise<ConnectResult> => {
    const result = await connect(server(...flags));
    if (result.ok) servers.push(result.connection.pid);
    return result;
  };
  const first = await start();
  if (!first.ok) throw new Error(first.message);
  const agent = createAgent({
    identity: {
      provider: 'codex',
      displayName: 'Codex',
      version: first.connection.version,
      model: null,
      login: null,
      destination: null,
      remarks: [],
    },
    limits: generous,
    place: { cwd: import.meta.dirname, runsCommands: false },
    connect: start,
    first: first.connection,
    spare: null,
    interruptGraceMs: 20_000,
    ...changes,
  });
  agents.push(agent);
  return { ...agent, servers };
}

async function ask(agent: Agent, prompt: string, changes: Partial<TurnRequest> = {}) {
  const events: EventBody[] = [];
  const result = await agent.turn({
    request: consult,
    prompt,
    callId: 'call-1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    bind: async () => undefined,
    ...changes,
  });
  return { result, events };
}

const consult: ConsultRequest = {
  tag: '[REQUEST:REVIEW]',
  question: '',
  sections: [],
  required: [],
  optional: [],
  change: null,
  language: null,
};

test('an answer has its session, and unknown messages are kept as raw', async () => {
  const agent = await open();
  const { result, events } = await ask(agent, 'answer');
  const sessionId = `thread-${agent.servers[0]}-1`;
  expect(result).toEqual({
    kind: 'answered',
    text: 'the answer',
    sessionId,
    usage: null,
    stopReason: 'completed',
  });
  expect(events).toEqual([
    { type: 'session.bound', provider_session_id: sessionId, resumable: true },
    { type: 'turn.started' },
    { type: 'raw', provider: 'codex', line: expect.stringContaining('novelty') },
    { type: 'text.start', block_id: 'm1', follow_up: false },
    { type: 'text.delta', block_id: 'm1', text: 'the answer' },
    { type: 'text.end', block_id: 'm1', text: 'the answer' },
    { type: 'turn.ended', stop_reason: 'completed', usage: null },
  ]);
});

test('the session is bound before the prompt is sent', async () => {
  const agent = await open();
  const refused = new Error('no disk');
  const events: string[] = [];
  const asked = ask(agent, 'answer', {
    bind: () => Promise.reject(refused),
    emit: ({ type }) => events.push(type),
  });
  await expect(asked).rejects.toBe(refused);
  expect(events).toEqual(['session.bound']);
});

test('requests of the server are refused, with an event', async () => {
  const { result, events } = await ask(await open(), 'ask');
  expect('text' in result && JSON.parse(result.text)).toEqual({ id: 'q1', result: { decision: 'decline' } });
  expect(events).toContainEqual({ type: 'permission', call_id: 'call-7', decision: 'deny', by: 'policy' });
});

describe('limits', () => {
  /** Limits of a turn that is silent after its start; on any machine it ends by this one. */
  const shortIdle = { ...generous, idleMs: 100 };

  test('an idle turn is interrupted, and the server stays usable', async () => {
    const agent = await open();
    expect((await ask(agent, 'silent', { limits: shortIdle })).result).toMatchObject({
      kind: 'timed_out',
      limit: 'idle',
    });
    expect((await ask(agent, 'answer')).result).toMatchObject({ kind: 'answered' });
    expect(agent.servers).toHaveLength(1);
  });

  test('X001-10.4 those of a turn win over those that the agent was opened with', async () => {
    const patient = await open();
    const { result } = await ask(patient, 'silent', { limits: shortIdle });
    expect(result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
  });

  test('X001-10.3 an endless turn ends at the total limit, extended once by half', async () => {
    const clock = createManualClock();
    const agent = await open({ clock, limits: { ...generous, totalMs: 200 } });
    // Each piece of text advances the clock to the next of these; the last one is the end of the extension.
    const steps = [200, 99, 1];
    let passing = Promise.resolve();
    const events: EventBody[] = [];
    const { result } = await ask(agent, 'drip', {
      emit(event) {
        events.push(event);
        if (event.type === 'text.delta') passing = passing.then(() => clock.advance(steps.shift() ?? 0));
      },
    });
    expect(steps).toEqual([]);
    expect(result).toMatchObject({ kind: 'timed_out', limit: 'total' });
    const text = events.flatMap((event) => (event.type === 'text.delta' ? [event.text] : [])).join('');
    expect(events.at(-3)).toEqual({
      type: 'error',
      kind: 'timeout',
      message: 'Codex did not finish in time',
      retryable: true,
    });
    expect(events.at(-2)).toEqual({ type: 'text.end', block_id: 'm1', text });
  });

  test('X001-10.1 a turn that does not start in time lacks its first sign; an unresponsive server is ended', async () => {
    const clock = createManualClock();
    const agent = await open({ clock, interruptGraceMs: 100 });
    const { result } = await ask(agent, 'hold', {
      emit: ({ type }) => {
        if (type === 'session.bound') void clock.advance(generous.firstSignMs);
      },
    });
    expect(result).toMatchObject({ kind: 'timed_out', limit: 'first_sign' });
    expect((await ask(agent, 'answer')).result).toMatchObject({ kind: 'answered' });
    expect(agent.servers).toHaveLength(2);
  });

  test('if the interrupt is ignored the server is ended; parallel turns are cut and not counted', async () => {
    const agent = await open({ interruptGraceMs: 100 });
    const beside = ask(agent, 'drip');
    const deaf = await ask(agent, 'deaf', { limits: shortIdle });
    expect(deaf.result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
    expect((await beside).result).toEqual({
      kind: 'cut',
      message: "Codex was stopped at another turn's limit",
      sessionId: `thread-${agent.servers[0]}-1`,
      uncounted: true,
    });
    expect((await ask(agent, 'answer')).result).toMatchObject({ kind: 'answered' });
  });
});

test('a server that dies during a turn is a cut with its last output, and the next turn starts a new one', async () => {
  const agent = await open();
  const sessionId = `thread-${agent.servers[0]}-1`;
  expect((await ask(agent, 'die')).result).toEqual({
    kind: 'cut',
    message: 'Codex ended in the middle of the turn: thread main panicked',
    sessionId,
    uncounted: false,
  });
  expect((await ask(agent, 'answer', { sessionId })).result).toMatchObject({ kind: 'answered', sessionId });
  expect(agent.servers).toHaveLength(2);
});

test('the turn is interrupted at the first retry notice', async () => {
  const { result, events } = await ask(await open(), 'retry');
  expect(result).toMatchObject({ kind: 'overloaded', message: 'unexpected status 503' });
  expect(events.map(({ type }) => type)).toEqual([
    'session.bound',
    'turn.started',
    'error',
    'error',
    'turn.ended',
  ]);
});

test('an abort rejects with its reason, before and during a turn', async () => {
  const agent = await open();
  const reason = new Error('enough');
  await expect(ask(agent, 'answer', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const emit = ({ type }: EventBody): void => {
    if (type === 'turn.started') controller.abort(reason);
  };
  await expect(ask(agent, 'silent', { signal: controller.signal, emit })).rejects.toBe(reason);
});

test('an abort does not wait for a server that never answers', async () => {
  const agent = await open({}, '--hold-threads');
  const reason = new Error('enough');
  const controller = new AbortController();
  const asked = ask(agent, 'answer', { signal: controller.signal });
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
});

test('a prompt above the limit is refused before it is sent, one that Codex finds too long afterwards', async () => {
  const agent = await open();
  expect((await ask(agent, 'x'.repeat(promptLimit + 1))).result).toMatchObject({
    kind: 'timed_out',
    limit: 'context',
    sessionId: null,
  });
  expect((await ask(agent, 'too long')).result).toMatchObject({ kind: 'timed_out', limit: 'context' });
});

test.each([
  [['--profile', 'default'], /permission profile "default"/],
  [['--instructions'], /instructions from \/AGENTS\.md/],
  [['--environment'], /an environment to run commands in/],
  [['--refuse-threads'], /no thread for you/],
])('a conversation that is not as isolated as asked is not used: %o', async (flags, message) => {
  const agent = await open({}, ...flags);
  const { result } = await ask(agent, 'answer');
  expect(result).toMatchObject({ kind: 'unavailable', code: 'options' });
  expect(messageOf(result)).toMatch(message);
  const resumed = await ask(agent, 'answer', { sessionId: 'thread-of-yesterday' });
  expect(resumed.result.kind).toBe(flags[0] === '--refuse-threads' ? 'answered' : 'unavailable');
});

test('a closed agent is unavailable', async () => {
  const agent = await open();
  await agent.close();
  expect((await ask(agent, 'answer')).result).toMatchObject({ kind: 'unavailable', code: 'died' });
  expect(await agent.harvest('thread', 'call-1')).toEqual({ kind: 'interrupted' });
});

describe('connecting', () => {
  test('the version is read from the handshake', async () => {
    expect((await open()).identity.version).toBe('9.8.7');
  });

  test.each([
    [
      server('--dying'),
      { ok: false, missing: false, ability: null, message: 'Error loading config.toml: unknown variant' },
    ],
    [
      { ...server('--mute'), timeoutMs: 300 },
      { ok: false, missing: false, ability: null, message: 'no answer to the handshake in 300 ms' },
    ],
    [
      { ...server(), file: '/no/such/codex' },
      { ok: false, missing: true, ability: null, message: '/no/such/codex cannot be started (ENOENT)' },
    ],
  ])('a server that does not come up says why', async (options, result) => {
    expect(await connect(options)).toEqual(result);
  });
});

function messageOf(result: TurnResult): string {
  return 'message' in result ? result.message : '';
}
