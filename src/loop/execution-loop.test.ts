import { expect, test } from 'vitest';
import type { EventBody, Usage } from '../events/collab-event.ts';
import { systemClock } from '../system/clock.ts';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import type { TurnLimits } from '../config/settings.ts';
import type { Model, ModelEnd, ModelTurn, SaidPart } from '../providers/contract/model.ts';
import type { Json, Tool, ToolOutcome } from '../tools/definition/interfaces.ts';
import { sampleSecrets } from '../../test/fixtures/sample-secrets.ts';
import { runLoop, type LoopOptions } from './execution-loop.ts';
import type { History } from './history.ts';
import { readOnlyPolicy, type ToolPolicy } from './tool-policy.ts';

const limits: TurnLimits = { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 60_000 };
const usage: Usage = {
  model: 'm',
  input: 10,
  output: 5,
  cache_read: 2,
  cache_write_5m: 1,
  cache_write_1h: 0,
  cost: null,
  cost_basis: 'unknown',
};

/** One turn of the scripted model: parts to send, a complete end, or a function. */
type Step = readonly SaidPart[] | ModelEnd | ((turn: ModelTurn) => Promise<ModelEnd>);

function modelOf(...steps: readonly Step[]): Model & { readonly turns: ModelTurn[] } {
  const turns: ModelTurn[] = [];
  return {
    turns,
    identity: {
      provider: 'scripted',
      displayName: 'Scripted',
      version: null,
      model: 'm',
      login: null,
      destination: null,
      remarks: [],
    },
    async turn(request) {
      turns.push(request);
      const step = steps[Math.min(turns.length, steps.length) - 1] ?? [];
      request.say({ kind: 'begun' });
      const end =
        typeof step === 'function' ? await step(request) : 'kind' in step ? step : said(step, request);
      return { end, usage };
    },
    close: async () => {},
  };
}

function said(parts: readonly SaidPart[], { say }: ModelTurn): ModelEnd {
  for (const [block, part] of parts.entries()) {
    if (part.type !== 'text') continue;
    say({ kind: 'text', block, text: part.text });
    say({ kind: 'text_end', block });
  }
  const calls = parts.some(({ type }) => type === 'tool_call');
  return { kind: 'said', parts, stopReason: calls ? 'tool_use' : 'end_turn' };
}

function text(content: string): SaidPart {
  return { type: 'text', text: content };
}

function call(name: string, args: Json = {}, id = `id-${name}`): SaidPart {
  return { type: 'tool_call', id, name, args };
}

function toolOf(name: string, run: Tool['run'], readOnly = true): Tool {
  return { name, description: name, parameters: { type: 'object' }, readOnly, run };
}

const echo = toolOf('Echo', async (args) => fine(JSON.stringify(args)));

function fine(content: string): ToolOutcome {
  return { content, isError: false };
}

async function loop(model: Model, own: Partial<LoopOptions> = {}) {
  const events: EventBody[] = [];
  const kept: History[] = [];
  const end = await runLoop({
    model,
    system: 'You lead.',
    tools: [echo],
    policy: readOnlyPolicy,
    limits,
    clock: systemClock,
    history: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
    callId: 'lead_1/1',
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    keep: (history) => void kept.push(history),
    ...own,
  });
  return { end, events, kept, types: events.map(({ type }) => type) };
}

test('R004-10 goes from the input over a tool call and its result to the answer', async () => {
  const weather = toolOf('get_weather', async () => fine('22 °C, sunny'));
  const model = modelOf(
    [text('I look.'), call('get_weather', { location: 'Tokyo' })],
    [text('It is 22 °C and sunny in Tokyo.')],
  );
  const { end, types, kept } = await loop(model, { tools: [weather] });
  expect(end).toMatchObject({
    kind: 'answered',
    text: 'It is 22 °C and sunny in Tokyo.',
    stopReason: 'end_turn',
    usage: { input: 20, output: 10, cache_read: 4 },
  });
  expect(types).toEqual([
    'turn.started',
    'text.start',
    'text.delta',
    'text.end',
    'usage',
    'turn.ended',
    'tool.call',
    'tool.status',
    'tool.status',
    'tool.result',
    'turn.started',
    'text.start',
    'text.delta',
    'text.end',
    'usage',
    'turn.ended',
  ]);
  expect(kept.at(-1)).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      parts: [text('I look.'), call('get_weather', { location: 'Tokyo' })],
    },
    {
      role: 'user',
      parts: [{ type: 'tool_result', id: 'id-get_weather', content: '22 °C, sunny', is_error: false }],
    },
    { role: 'assistant', parts: [text('It is 22 °C and sunny in Tokyo.')] },
  ]);
  expect(model.turns[1]?.messages).toEqual(kept.at(-1)?.slice(0, 3));
});

test('R004-14 an unknown tool is an observation, after which the model corrects itself', async () => {
  const model = modelOf([call('Write')], [call('Echo', { a: 1 })], [text('done')]);
  const { end, events } = await loop(model);
  expect(end).toMatchObject({ kind: 'answered', text: 'done' });
  expect(events.filter(({ type }) => type === 'tool.result')).toMatchObject([
    { content: 'There is no tool "Write". There are Echo.', is_error: true },
    { content: '{"a":1}', is_error: false },
  ]);
});

test('X004-6 arguments that do not fit are an observation, and nobody is asked about them', async () => {
  const change = toolOf('Change', async () => fine('changed'), false);
  const strict: Tool = { ...change, faultOf: () => 'path is missing' };
  const policy: ToolPolicy = { leaveFor: () => 'ask', ask: async () => Promise.reject(new Error('asked')) };
  const { events, end } = await loop(modelOf([call('Change')], [text('done')]), { tools: [strict], policy });
  expect(end).toMatchObject({ kind: 'answered', text: 'done' });
  expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({
    content: 'path is missing',
    is_error: true,
  });
});

const thousand = Array.from({ length: 1000 }, (_, index) => toolOf(`tool_${index}`, async () => fine('ran')));

test('X004-9.4,5 a tool that exists but was not listed is listed in the next three turns', async () => {
  const again = call('tool_999');
  const idle = (turn: number) => [call('tool_0', { turn })];
  const model = modelOf([again], [again], idle(1), idle(2), idle(3), [text('done')]);
  const { end, events } = await loop(model, { tools: thousand });
  expect(end).toMatchObject({ kind: 'answered' });
  expect(
    model.turns.map(({ tools }) => [tools.length, tools.some(({ name }) => name === 'tool_999')]),
  ).toEqual([
    [16, false],
    [17, true],
    [17, true],
    [17, true],
    [17, true],
    [16, false],
  ]);
  expect(events.filter(({ type }) => type === 'tool.result').slice(0, 2)).toMatchObject([
    {
      content:
        'tool_999 was not among the tools of this turn. It is now: look at its parameters and call it again.',
      is_error: true,
    },
    { content: 'ran', is_error: false },
  ]);
});

test('R004-14.2 an unknown name among a thousand tools is answered with the nearest ones', async () => {
  const { events } = await loop(modelOf([call('tool_99x')], [text('done')]), { tools: thousand });
  const { content } = { content: '', ...events.find(({ type }) => type === 'tool.result') };
  expect(content).toMatch(/^There is no tool "tool_99x"\. There are (tool_99\d?, ){4}tool_99\d\.$/);
});

test('R004-14.2 up to 32 tools are listed whole after an unknown name, and none when there are none', async () => {
  const contents = await Promise.all(
    [32, 33, 0].map(async (count) => {
      const { events } = await loop(modelOf([call('tool_x')], [text('done')]), {
        tools: thousand.slice(0, count),
      });
      return { content: '', ...events.find(({ type }) => type === 'tool.result') }.content;
    }),
  );
  expect(contents.map((content) => content.match(/tool_\d+/g)?.length)).toEqual([32, 5, undefined]);
  expect(contents[2]).toBe('There is no tool "tool_x". There are none.');
});

test.each([['ls'], [7], [null], [['a', 'b']]])(
  'the call with the arguments %j, not an object, shows them',
  async (args) => {
    const { events } = await loop(modelOf([call('Echo', args)], [text('done')]));
    const summary = typeof args === 'string' ? args : JSON.stringify(args);
    expect(events.find(({ type }) => type === 'tool.call')).toMatchObject({
      args: { arguments: args },
      summary,
    });
  },
);

test('a tool’s output is reported while it runs, masked, and keeps the turn alive', async () => {
  const token = sampleSecrets.find(({ rule }) => rule === 'github_token')?.secret ?? '';
  const printing = toolOf('Print', async (_args, { tellOutput }) => {
    tellOutput?.(`one\n${token.slice(0, 9)}`);
    tellOutput?.(`${token.slice(9)}\nlast`);
    return { ...fine('done'), exitCode: 0, changed: [{ path: 'a', kind: 'add' }] };
  });
  const { events } = await loop(modelOf([call('Print')], [text('done')]), { tools: [printing] });
  const of = (type: EventBody['type']) => events.filter((event) => event.type === type);
  expect(of('tool.output')).toMatchObject([
    { chunk: 'one\n' },
    { chunk: `${'*'.repeat(token.length)}\n` },
    { chunk: 'last' },
  ]);
  expect(of('file.changed')).toEqual([{ type: 'file.changed', path: 'a', kind: 'add' }]);
  expect(of('tool.result')).toMatchObject([{ exit_code: 0 }]);
});

test('no limit applies while a person thinks about a question', async () => {
  const clock = createManualClock();
  const change = toolOf('Change', async () => fine('changed'), false);
  const policy: ToolPolicy = {
    leaveFor: () => 'ask',
    async ask() {
      await clock.advance(150);
      return { decision: 'allow', by: 'user' };
    },
  };
  const own = { tools: [change], policy, clock, limits: { ...limits, idleMs: 50, totalMs: 100 } };
  expect((await loop(modelOf([call('Change')], [text('done')]), own)).end).toMatchObject({
    kind: 'answered',
  });
});

test('no model limit applies while a tool changes something; a read-only tool is limited', async () => {
  const ends = [];
  for (const readOnly of [false, true]) {
    const clock = createManualClock();
    const slow = toolOf('Slow', async () => clock.advance(150).then(() => fine('built')), readOnly);
    const within = {
      tools: [slow],
      policy: allowing,
      clock,
      limits: { ...limits, idleMs: 50, totalMs: 100 },
    };
    ends.push((await loop(modelOf([call('Slow')], [text('done')]), within)).end);
  }
  expect(ends).toMatchObject([{ kind: 'answered' }, { kind: 'timed_out', limit: 'idle' }]);
});

const allowing: ToolPolicy = {
  leaveFor: () => 'allow',
  ask: async () => Promise.reject(new Error('asked')),
};

test('X004-11 read-only calls of one response run at the same time, with their results in order', async () => {
  let [running, most] = [0, 0];
  let release: (() => void) | undefined;
  const bothRun = new Promise<void>((resolve) => (release = resolve));
  const slow = toolOf('Slow', async (args) => {
    running += 1;
    most = Math.max(most, running);
    if (running === 2) release?.();
    await bothRun;
    running -= 1;
    return fine(JSON.stringify(args));
  });
  const model = modelOf([call('Slow', 1, 'a'), call('Slow', 2, 'b')], [text('done')]);
  const { kept } = await loop(model, { tools: [slow] });
  expect(most).toBe(2);
  expect(kept.at(-1)?.[2]).toEqual({
    role: 'user',
    parts: [
      { type: 'tool_result', id: 'a', content: '1', is_error: false },
      { type: 'tool_result', id: 'b', content: '2', is_error: false },
    ],
  });
});

test('X004-11.1 a call that changes something runs alone, in its place', async () => {
  const log: string[] = [];
  const note = (name: string, readOnly: boolean): Tool =>
    toolOf(
      name,
      async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        return fine('');
      },
      readOnly,
    );
  const allowAll: ToolPolicy = {
    leaveFor: () => 'allow',
    ask: async () => ({ decision: 'deny', by: 'policy' }),
  };
  const model = modelOf([call('Look'), call('Change'), call('Look')], [text('done')]);
  await loop(model, { tools: [note('Look', true), note('Change', false)], policy: allowAll });
  expect(log).toEqual([
    'Look begins',
    'Look ends',
    'Change begins',
    'Change ends',
    'Look begins',
    'Look ends',
  ]);
});

test.each([
  ['deny', 'deny', 'policy', 'Change was not allowed to run. Continue without it.'],
  ['ask', 'deny', 'user', 'Change was not allowed to run. Continue without it.'],
  ['ask', 'allow', 'user', 'changed'],
] as const)('X004-4.2,4 policy %s, decision %s by the %s', async (leave, decision, by, content) => {
  const change = toolOf('Change', async () => fine('changed'), false);
  const policy: ToolPolicy = { leaveFor: () => leave, ask: async () => ({ decision, by: 'user' }) };
  const { events } = await loop(modelOf([call('Change')], [text('done')]), { tools: [change], policy });
  expect(events.find(({ type }) => type === 'permission')).toMatchObject({ decision, by });
  expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({ content });
});

test('without approval a model runs only tools that change nothing', async () => {
  const change = toolOf('Change', async () => fine('changed'), false);
  const asked = { id: 'a', name: 'any', args: {} };
  expect([echo, change].map((tool) => readOnlyPolicy.leaveFor(tool, asked, 'agent'))).toEqual([
    'allow',
    'deny',
  ]);
});

test('X004-7.1 after 25 turns the model has to answer, and the end says so', async () => {
  const model = modelOf(async (turn) =>
    turn.toolChoice === 'none'
      ? said([text('as far as I came')], turn)
      : said([call('Echo', { turn: turn.messages.length })], turn),
  );
  const { end } = await loop(model);
  expect(model.turns).toHaveLength(25);
  expect(end).toMatchObject({ kind: 'answered', text: 'as far as I came', stopReason: 'max_iterations' });
  expect(JSON.stringify(model.turns.at(-1)?.messages.at(-1))).toContain('This is your last turn');
});

test('X004-7.1 a model that calls on without leave ends after 25 turns too', async () => {
  const model = modelOf(async (turn) => said([call('Echo', { turn: turn.messages.length })], turn));
  const { end, kept } = await loop(model);
  expect(model.turns).toHaveLength(25);
  expect(end).toEqual({
    kind: 'empty',
    message: 'the model used all 25 turns on tools and wrote no text',
  });
  expect(JSON.stringify(kept.at(-1)?.at(-1))).not.toContain('tool_call');
});

test('X004-7.2 three equal failing calls in a row end the tools with an explanation', async () => {
  const model = modelOf([call('Nothing')], [call('Nothing')], [call('Nothing')], [text('I could not look')]);
  const { end } = await loop(model);
  expect(model.turns.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'auto', 'none']);
  expect(end).toMatchObject({ kind: 'answered', text: 'I could not look', stopReason: 'repeated_failure' });
});

test('X004-7.2 another call between two failing ones starts the count again', async () => {
  const model = modelOf(
    [call('Nothing')],
    [call('Nothing')],
    [call('Echo')],
    [call('Nothing')],
    [call('Nothing')],
    [text('done')],
  );
  expect((await loop(model)).end).toMatchObject({ stopReason: 'end_turn' });
});

test('an answer that reached its token limit is an answer, and its calls are not run', async () => {
  const model = modelOf({ kind: 'said', parts: [text('half'), call('Echo')], stopReason: 'max_tokens' });
  const { end, types, kept } = await loop(model);
  expect(end).toMatchObject({ kind: 'answered', text: 'half', stopReason: 'max_tokens' });
  expect(types).not.toContain('tool.call');
  expect(kept.at(-1)?.at(-1)).toEqual({ role: 'assistant', parts: [text('half')] });
});

test.each([
  [[], 'the model ended its turn without a text'],
  [[text(' \n')], 'the model ended its turn without a text'],
] as const)('a turn without text is empty: %j', async (parts, message) => {
  const { end, events } = await loop(modelOf(parts));
  expect(end).toEqual({ kind: 'empty', message });
  expect(events.at(-1)).toEqual({ type: 'error', kind: 'protocol', message, retryable: true });
});

test.each([
  [{ kind: 'overloaded', message: 'busy', retryAfterMs: null }, 'overloaded', true],
  [{ kind: 'cut', message: 'gone' }, 'network', true],
  [{ kind: 'timed_out', limit: 'context', message: 'long' }, 'context_limit', true],
  [{ kind: 'unavailable', code: 'auth', message: 'no key', hint: 'set it' }, 'auth', false],
  [{ kind: 'unavailable', code: 'quota', message: 'no money', hint: 'pay' }, 'rate_limit', false],
] as const)('what the model returns as wrong is the end: %j', async (failure, kind, retryable) => {
  const { end, events } = await loop(modelOf(failure));
  expect(end).toEqual(failure);
  expect(events.at(-1)).toEqual({ type: 'error', kind, message: failure.message, retryable });
});

test('secrets are masked in tool results before the model gets them', async () => {
  const token = sampleSecrets.find(({ rule }) => rule === 'github_token')?.secret ?? '';
  const leaky = toolOf('Leak', async () => fine(`the token is ${token}`));
  const model = modelOf([call('Leak')], [text('done')]);
  const { kept, events } = await loop(model, { tools: [leaky] });
  expect(JSON.stringify([kept, events])).not.toContain(token);
  expect(JSON.stringify(kept.at(-1))).toContain('the token is ****');
});

test.each([
  ['first_byte', { ...limits, firstByteMs: 20 }, false, 'the model sent no byte of an answer in time'],
  ['idle', { ...limits, idleMs: 20 }, true, 'the model fell silent'],
] as const)('the %s limit ends the request and is told', async (name, shortLimits, begins, message) => {
  let reason: unknown = null;
  const clock = createManualClock();
  const silent: Model = {
    ...modelOf(),
    turn: (request) =>
      new Promise((_, reject) => {
        if (begins) request.say({ kind: 'text', block: 0, text: 'half' });
        request.signal.addEventListener('abort', () => reject((reason = request.signal.reason)));
        void clock.advance(20);
      }),
  };
  const { end, events } = await loop(silent, { limits: shortLimits, clock });
  expect(end).toEqual({ kind: 'timed_out', limit: name, message });
  expect(reason).not.toBeNull();
  expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'timeout' });
  expect(events.filter(({ type }) => type === 'text.end' || type === 'turn.ended')).toHaveLength(
    begins ? 2 : 0,
  );
});

test('the limit for the first byte applies to every request of a turn', async () => {
  const clock = createManualClock();
  let asked = 0;
  const model: Model = {
    ...modelOf(),
    async turn({ say }) {
      asked += 1;
      if (asked === 1) {
        say({ kind: 'begun' });
        return { end: { kind: 'said', parts: [call('Look')], stopReason: 'tool_use' }, usage: null };
      }
      void clock.advance(20);
      return new Promise<never>(() => {});
    },
  };
  const look = toolOf('Look', async () => fine('nothing'));
  const { end } = await loop(model, { tools: [look], limits: { ...limits, firstByteMs: 20 }, clock });
  expect([end, asked]).toMatchObject([{ kind: 'timed_out', limit: 'first_byte' }, 2]);
});

test('the total limit ends a model that never stops', async () => {
  const clock = createManualClock();
  const talker: Model = {
    ...modelOf(),
    async turn({ say, signal }) {
      while (!signal.aborted) {
        say({ kind: 'alive' });
        await clock.advance(1);
      }
      throw signal.reason;
    },
  };
  const { end } = await loop(talker, { limits: { ...limits, totalMs: 60 }, clock });
  expect(end).toEqual({ kind: 'timed_out', limit: 'total', message: 'the model did not finish in time' });
});

test('a model or tool that ignores an abort is not waited for', async () => {
  const clock = createManualClock();
  const hangs = async () => {
    void clock.advance(20);
    return new Promise<never>(() => {});
  };
  const deaf: Model = { ...modelOf(), turn: hangs };
  expect((await loop(deaf, { limits: { ...limits, firstByteMs: 10 }, clock })).end).toMatchObject({
    limit: 'first_byte',
  });

  const stuck = toolOf('Stuck', hangs);
  const { end, events } = await loop(modelOf([call('Stuck')]), {
    tools: [stuck],
    limits: { ...limits, idleMs: 20 },
    clock,
  });
  expect(end).toMatchObject({ kind: 'timed_out', limit: 'idle' });
  expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({
    content: 'The turn ended before the tool did.',
    is_error: true,
  });
});

test('an abort rejects with its reason, with every block and call closed', async () => {
  const controller = new AbortController();
  const events: EventBody[] = [];
  const stuck = toolOf('Stuck', async () => {
    controller.abort(new Error('stop'));
    return new Promise<never>(() => {});
  });
  const ended = loop(modelOf([text('I look.'), call('Stuck')]), {
    tools: [stuck],
    signal: controller.signal,
    emit: (event) => void events.push(event),
  });
  await expect(ended).rejects.toThrow('stop');
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === 'tool.call')).toHaveLength(1);
  expect(types.filter((type) => type === 'tool.result')).toHaveLength(1);
});

test('thinking is reported, and the model’s private values are sent back unchanged', async () => {
  const opaque: SaidPart = { type: 'opaque', value: { type: 'thinking', signature: 'x' } };
  const model = modelOf(
    async (turn) => {
      turn.say({ kind: 'thinking', block: 0, text: 'hm' });
      turn.say({ kind: 'thinking_end', block: 0, redacted: false });
      return { kind: 'said', parts: [opaque, call('Echo')], stopReason: 'tool_use' };
    },
    [text('done')],
  );
  const { events } = await loop(model);
  expect(model.turns[1]?.messages[1]).toEqual({ role: 'assistant', parts: [opaque, call('Echo')] });
  expect(events.slice(0, 3)).toEqual([
    { type: 'turn.started' },
    { type: 'thinking.delta', block_id: 'lead_1/1/1/0', text: 'hm' },
    { type: 'thinking.end', block_id: 'lead_1/1/1/0' },
  ]);
});

test('calls have unique ids, whatever names a model uses', async () => {
  const model = modelOf(
    [call('Echo', {}, 'x'), call('Echo', {}, 'x')],
    [call('Echo', {}, 'x')],
    [text('done')],
  );
  const { events } = await loop(model);
  expect(events.flatMap((event) => (event.type === 'tool.call' ? [event.call_id] : []))).toEqual([
    'lead_1/1/1/call-1',
    'lead_1/1/1/call-2',
    'lead_1/1/2/call-1',
  ]);
});
