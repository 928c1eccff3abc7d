import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { Agent, TurnRequest } from '../contract/contract.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { createRehearsalProvider } from './rehearsal_client.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';

let folder: string;
/** The agents' pauses, in order. */
let sleeps: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  sleeps = [];
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('an answer', () => {
  test('is bound to a session, streamed in pieces, and has its usage', async () => {
    const agent = await open(`
      agent: { name: Claude Code, model: claude-opus-4, session_id: abc }
      turns:
        - answer: héllo 🚀
          delta_size: 4
          delay_ms: 200
          usage: { input: 10, output: 20, cost: 0.001 }
    `);
    const { result, events, bound } = await call(agent);
    const usage = {
      model: 'claude-opus-4',
      input: 10,
      output: 20,
      cache_read: 0,
      cache_write_5m: 0,
      cache_write_1h: 0,
      cost: 0.001,
      cost_basis: 'reported',
    };
    expect(agent.identity.displayName).toBe('Claude Code');
    expect(result).toEqual({
      kind: 'answered',
      text: 'héllo 🚀',
      sessionId: 'abc',
      usage,
      stopReason: 'end_turn',
    });
    expect(bound).toEqual(['abc']);
    expect(sleeps).toEqual([200]);
    expect(events).toEqual([
      { type: 'session.bound', provider_session_id: 'abc', resumable: true },
      { type: 'turn.started' },
      { type: 'text.start', block_id: 'ex_1/1/1/answer', follow_up: false },
      { type: 'text.delta', block_id: 'ex_1/1/1/answer', text: 'héll' },
      { type: 'text.delta', block_id: 'ex_1/1/1/answer', text: 'o 🚀' },
      { type: 'text.end', block_id: 'ex_1/1/1/answer', text: 'héllo 🚀' },
      { type: 'usage', ...usage },
      { type: 'turn.ended', stop_reason: 'end_turn', usage },
    ]);
  });

  test('that is not streamed leaves only its messages and tools visible, in order', async () => {
    const agent = await open(`
      turns:
        - messages:
            - text: I look.
            - tool: { name: Read, input: { file_path: a.ts }, output_lines: 2 }
            - tool: { name: Read, input: { file_path: b.ts }, error: no such file }
            - text: Seen.
          answer: '[RESPONSE:REVIEW]'
          stream: false
    `);
    const { result, events } = await call(agent);
    expect(result).toMatchObject({ kind: 'answered', text: '[RESPONSE:REVIEW]' });
    expect(events.flatMap(told)).toEqual([
      'say I look.',
      'call Read {"file_path":"a.ts"}',
      'result line 1\nline 2',
      'call Read {"file_path":"b.ts"}',
      'error no such file',
      'say Seen.',
    ]);
  });

  test('may come from a file next to the script', async () => {
    writeFileSync(join(folder, 'answer.md'), '[RESPONSE:DESIGN]\n');
    const agent = await open('turns: [{ answer_file: answer.md }]');
    expect((await call(agent)).result).toMatchObject({ kind: 'answered', text: '[RESPONSE:DESIGN]\n' });
  });
});

describe('the turn that a call plays', () => {
  test('is the next one of the script, and none when all are used up', async () => {
    const agent = await open('turns: [{ answer: one }, { answer: two, repeat: 2 }]');
    const answers = [];
    for (let number = 1; number <= 4; number += 1) answers.push(brief((await call(agent)).result));
    expect(answers).toEqual(['one', 'two', 'two', 'unavailable']);
  });

  test('is the first that matches tag, text, chunk and attempt', async () => {
    const agent = await open(`
      turns:
        - { when: { tag: '[CONSULT:DESIGN]' }, answer: design }
        - { when: { contains: total.ts }, answer: by text, repeat: forever }
        - { when: { chunk: 2, attempt: 1 }, fault: cut }
        - { when: { chunk: 2 }, answer: second chunk }
        - { answer: any, repeat: forever }
    `);
    const of = async (about: Partial<TurnRequest>) => brief((await call(agent, about)).result);
    expect(await of({ prompt: 'look at total.ts' })).toBe('by text');
    expect(await of({ callId: 'ex_chunk-2/1/1' })).toBe('cut');
    expect(await of({ callId: 'ex_chunk-2/2/1' })).toBe('second chunk');
    expect(await of({ callId: 'ex_chunk-3/1/1' })).toBe('any');
    expect(await of({ request: { ...request, tag: '[CONSULT:DESIGN]' } })).toBe('design');
  });

  test('is remembered across processes once it was played to its end', async () => {
    const script = 'turns: [{ answer: one }, { answer: two }]';
    expect(brief((await call(await open(script))).result)).toBe('one');
    expect(brief((await call(await open(script))).result)).toBe('two');
  });

  test('is available again if the call was aborted', async () => {
    const agent = await open('turns: [{ answer: one, delay_ms: 1000 }]');
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const aborted = call(agent, { bind: async () => stop.abort(), signal: stop.signal });
    await expect(aborted).rejects.toThrow('stopped');
    expect(brief((await call(agent)).result)).toBe('one');
  });
});

describe('a fault', () => {
  test.each([
    ['fault: overloaded\n    retry_after_ms: 50', { kind: 'overloaded', retryAfterMs: 50 }],
    ['fault: timed_out\n    limit: first_sign', { kind: 'timed_out', limit: 'first_sign' }],
    ['fault: unavailable\n    code: auth', { kind: 'unavailable', code: 'auth' }],
    ['fault: die', { kind: 'unavailable', code: 'died' }],
    ['fault: empty', { kind: 'empty' }],
    ['fault: cut\n    message: stream ended', { kind: 'cut', message: 'stream ended', uncounted: false }],
  ])('%s is returned as a value', async (lines, expected) => {
    const agent = await open(`turns:\n  - ${lines}\n`);
    expect((await call(agent)).result).toMatchObject(expected);
  });

  test('never: is silent until the idle limit', async () => {
    const agent = await open('turns: [{ fault: never }]', { idleMs: 300, totalMs: 9000 });
    expect((await call(agent)).result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
    expect(sleeps).toEqual([300]);
  });

  test('X001-10.4 the limits of a turn win over those that the agent was opened with', async () => {
    const agent = await open('turns: [{ fault: never }]', { idleMs: 300, totalMs: 9000 });
    const limits = { firstSignMs: 10, firstByteMs: 20, idleMs: 20, totalMs: 9000 };
    expect((await call(agent, { limits })).result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
    expect(sleeps).toEqual([20]);
  });

  test('never: ends immediately when the call is aborted', async () => {
    const agent = await open('turns: [{ fault: never }]', {}, realSleep);
    const stop = new AbortController();
    const aborted = call(agent, {
      signal: stop.signal,
      emit: ({ type }) => {
        if (type === 'turn.started') stop.abort(new Error('stopped'));
      },
    });
    await expect(aborted).rejects.toThrow('stopped');
  });

  test('a delay above the total limit ends there', async () => {
    const agent = await open('turns: [{ answer: late, delay_ms: 500 }]', { idleMs: 900, totalMs: 400 });
    expect((await call(agent)).result).toMatchObject({ kind: 'timed_out', limit: 'total' });
    expect(sleeps).toEqual([400]);
  });
});

describe('a session', () => {
  test('continues if it is named, and a new one gets its own name', async () => {
    const agent = await open('agent: { session_id: abc }\nturns: [{ answer: ok, repeat: forever }]');
    const sessions = [];
    for (const sessionId of [null, 'abc', null]) {
      sessions.push((await call(agent, { sessionId })).bound);
    }
    expect(sessions).toEqual([['abc'], ['abc'], ['abc-2']]);
  });

  test('harvests the real outcome of a lost call', async () => {
    const script = 'agent: { session_id: abc }\nturns: [{ answer: kept }, { fault: never }]';
    const agent = await open(script, {}, realSleep);
    await call(agent);
    const stop = new AbortController();
    const emit = ({ type }: EventBody) => {
      if (type === 'turn.started') stop.abort();
    };
    await expect(call(agent, { signal: stop.signal, emit })).rejects.toThrow('aborted');
    const later = await open(script);
    expect(await later.harvest('abc', 'ex_1/1')).toEqual({ kind: 'answered', text: 'kept', usage: null });
    expect(await later.harvest('abc-2', 'ex_1/1')).toEqual({ kind: 'interrupted' });
    expect(await later.harvest('unknown', 'ex_1/1')).toEqual({ kind: 'not_sent' });
  });

  test('counts as never sent if only its name was recorded', async () => {
    const agent = await open('agent: { session_id: abc }\nturns: [{ answer: ok }]');
    await expect(call(agent, { bind: () => Promise.reject(new Error('killed')) })).rejects.toThrow('killed');
    expect(await agent.harvest('abc', 'ex_1/1')).toEqual({ kind: 'not_sent' });
  });

  test('does not return the answer of an earlier call for a lost one', async () => {
    const agent = await open('agent: { session_id: abc }\nturns: [{ answer: first }, { answer: second }]');
    await call(agent, { callId: 'ex_1/1/1' });
    const lost = { callId: 'ex_1/2/1', sessionId: 'abc', bind: () => Promise.reject(new Error('killed')) };
    await expect(call(agent, lost)).rejects.toThrow('killed');
    expect(await agent.harvest('abc', 'ex_1/2')).toEqual({ kind: 'not_sent' });
    expect(await agent.harvest('abc', 'ex_1/1')).toMatchObject({ kind: 'answered', text: 'first' });
  });

  test('harvests the scripted outcome instead', async () => {
    const agent = await open('agent: { session_id: abc }\nturns: [{ answer: ok, harvest: interrupted }]');
    await call(agent);
    expect(await agent.harvest('abc', 'ex_1/1')).toEqual({ kind: 'interrupted' });
  });
});

test('the call log has the start and the end of every call', async () => {
  const agent = await open('call_log: calls.log\nturns: [{ answer: one }, { fault: cut }]');
  await call(agent, { callId: 'ex_a/1/1' });
  await call(agent, { callId: 'ex_b/1/1' });
  expect(readFileSync(join(folder, 'calls.log'), 'utf8')).toBe(
    'begin ex_a/1/1\nend ex_a/1/1\nbegin ex_b/1/1\nend ex_b/1/1\n',
  );
});

describe('a faulty script', () => {
  test.each([
    ['turns:\n  - answr: hello\n', '2:5: turns.0: Unrecognized key: "answr"'],
    [
      'turns:\n  - answer: a\n    fault: cut\n',
      '2:5: turns.0: a turn has exactly one of answer, answer_file and fault',
    ],
    ['turns:\n  - fault: flood\n', '2:12: turns.0.fault: Invalid option'],
    ['agent: {}\n', '1:1: turns: Invalid input'],
    ['turns: [\n', '2:1: Flow sequence in block collection must be'],
  ])('%j is refused with its place', async (text, expected) => {
    await expect(open(text)).rejects.toMatchObject({
      code: 'options',
      message: expect.stringContaining(`script.yaml:${expected}`),
    });
  });

  test('a missing or invalid script and a missing answer file are refused before the first call', async () => {
    const provider = createRehearsalProvider({ clock: { sleep: noSleep } });
    const options = openOptions({});
    await expect(provider.open({ ...options, model: 'missing.yaml' })).rejects.toMatchObject({
      code: 'options',
    });
    await expect(provider.open({ ...options, model: null })).rejects.toMatchObject({ code: 'options' });
    await expect(open('turns: [{ answer_file: missing.md }]')).rejects.toMatchObject({ code: 'options' });
  });
});

const request: ConsultRequest = {
  tag: '[REQUEST:REVIEW]',
  question: 'Is the total right?',
  sections: exchangeSpecOf('[REQUEST:REVIEW]').sections,
  required: [],
  optional: [],
  change: null,
  language: null,
};

async function open(script: string, limits: Partial<TurnLimits> = {}, sleep = noSleep): Promise<Agent> {
  writeFileSync(join(folder, 'script.yaml'), unindent(script));
  return createRehearsalProvider({ clock: { sleep } }).open(openOptions(limits));
}

function openOptions(limits: Partial<TurnLimits>) {
  return {
    env: {},
    cwd: folder,
    settings: {},
    signal: new AbortController().signal,
    runId: 'run-1',
    model: 'script.yaml',
    stateFolder: join(folder, 'state'),
    reviewFolder: null,
    limits: { firstSignMs: 30_000, firstByteMs: 300_000, idleMs: 300_000, totalMs: 1_800_000, ...limits },
  };
}

async function call(agent: Agent, about: Partial<TurnRequest> = {}) {
  const [events, bound]: [EventBody[], string[]] = [[], []];
  const result = await agent.turn({
    request,
    prompt: 'Review this.',
    callId: 'ex_1/1/1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    bind: async (sessionId) => void bound.push(sessionId),
    ...about,
  });
  return { result, events, bound };
}

async function noSleep(ms: number): Promise<void> {
  sleeps.push(ms);
}

function realSleep(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(new Error('aborted'));
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

function brief(result: Awaited<ReturnType<Agent['turn']>>): string {
  return result.kind === 'answered' ? result.text : result.kind;
}

function told(event: EventBody): readonly string[] {
  if (event.type === 'text.end') return [`say ${event.text}`];
  if (event.type === 'tool.call') return [`call ${event.name} ${JSON.stringify(event.args)}`];
  if (event.type === 'tool.result') return [`${event.is_error ? 'error' : 'result'} ${event.content}`];
  return [];
}

function unindent(text: string): string {
  const indent = /^\n( *)/.exec(text)?.[1] ?? '';
  return (
    text
      .replace(/^\n/, '')
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .trimEnd() + '\n'
  );
}
