/** What a vendor's API does, and what the person at the other end of the installed server sees of it. */
import { describe, expect, test } from 'vitest';
import type { ErrorEventData } from '../../src/views/stream/event.ts';
import { everyProvider } from '../contract/providers/every-provider.ts';
import type { ProviderFixture } from '../contract/providers/fixture.ts';
import type { Bend } from '../upstream/bending-proxy.ts';
import type { MessagesStep } from '../upstream/messages-steps.ts';
import { livedWorld, named, textOf } from './lived-world.ts';

const answer = '日本語の答えです。👋 Done.';

/** Events that no client of the API knows, as each API would name them. */
const strangers: Readonly<Record<string, string>> = {
  anthropic: 'event: novelty\ndata: {"type":"novelty","content_block":{"type":"text","text":"no"}}\n\n',
  'openai over responses': 'event: response.novelty\ndata: {"type":"response.novelty","delta":"no"}\n\n',
  'openai over chat completions': 'data: {"object":"novelty","choices":[]}\n\n: a comment\n\n',
  gemini: 'data: {"novelty":{"text":"no"}}\r\n\r\n',
};

const bends: Readonly<Record<string, (fixture: ProviderFixture) => Bend>> = {
  whole: () => ({}),
  'in pieces of a byte': () => ({ pieceBytes: 1 }),
  'between events that are unknown': ({ name }) => ({ stranger: strangers[name] ?? '' }),
};

interface Failure {
  readonly step: MessagesStep;
  readonly bend?: Bend;
  /** The most requests to the vendor; default 1. Once a word of an answer was shown, the same request is not made again. */
  readonly mostRequests?: number;
  /** False if the run fails before its session: then there is no `init`. */
  readonly opens: boolean;
  readonly error: Partial<ErrorEventData>;
}

const refused = (error_type: ErrorEventData['error_type']) => ({
  opens: false,
  error: { error_type, recoverable: false },
});
const broken = (cause: string) => ({
  opens: true,
  error: { error_type: 'execution_error', recoverable: false, cause } as const,
});

/** Failures that another attempt would not change, or that come after the first word of the answer. */
const failures: Readonly<Record<string, Failure>> = {
  'status 400': { step: { status: 400, message: 'bad field' }, ...refused('options_error') },
  'status 401': { step: { status: 401, message: 'invalid key' }, ...refused('options_error') },
  'status 403': { step: { status: 403, message: 'not for this key' }, ...refused('options_error') },
  'status 404': {
    step: { status: 404, message: 'there is no such model' },
    ...refused('model_validation_error'),
  },
  'status 413': { step: { status: 413 }, ...refused('context_limit_exceeded') },
  'a page of a proxy with status 200': {
    step: { text: answer },
    bend: { page: '<!doctype html><title>Sign in</title>' },
    mostRequests: 4,
    ...broken('network'),
  },
  'a connection that is lost in mid-answer': { step: { text: answer, cut: true }, ...broken('network') },
  'a stream that ends early': { step: { text: answer, endEarly: true }, ...broken('network') },
  'a cut within a character': {
    step: { text: answer },
    bend: { cutsCharacter: true },
    mostRequests: 4,
    ...broken('network'),
  },
};

/** Failures that pass: the request is made again before any word of an answer was shown. */
const passing: Readonly<Record<string, readonly [step: MessagesStep, bend?: Bend]>> = {
  'status 429': [{ status: 429 }],
  'status 429 with retry-after': [{ status: 429, headers: { 'retry-after': '0' } }],
  'status 500': [{ status: 500 }],
  'status 503': [{ status: 503 }],
  'status 529': [{ status: 529 }],
  'a connection that is reset': [{ text: answer }, { resets: true }],
};

describe.each(everyProvider)('$name', (fixture) => {
  const world = livedWorld(fixture, { config: 'waits: [10ms]\n' });

  test.each(Object.entries(bends))(
    'R002-13.1,2,4 R002-22.1 X002-32.1 an answer that arrives %s is shown whole, and its usage is that of the vendor',
    async (name, bendOf) => {
      world().answer([{ thinking: 'よく考える。', text: answer }], bendOf(fixture));
      const events = await world().say(`whole-${name.length}`);
      expect(textOf(events)).toBe(answer);
      const [done] = named(events, 'done').map(({ data }) => data);
      expect(done).toMatchObject({ status: 'success', result: answer, is_error: false, errors: null });
      const { input, output, cache_read, cache_write_5m, cache_write_1h } = fixture.usage;
      expect(done?.usage).toEqual({
        input_tokens: input,
        output_tokens: output,
        cache_creation_5m_tokens: cache_write_5m,
        cache_creation_1h_tokens: cache_write_1h,
        cache_read_tokens: cache_read,
        total_tokens: input + output,
      });
      expect(world().requests()).toHaveLength(1);
    },
  );

  test('R002-12.1,3 R002-18.1 R002-26.1 what it thinks and does comes as thinking and progress, in the words of the specification', async () => {
    world().answer([{ thinking: 'よく考える。', text: answer }]);
    const events = await world().say('thinking');
    expect(
      named(events, 'thinking')
        .map(({ data }) => data.content)
        .join(''),
    ).toBe('よく考える。');
    expect(named(events, 'progress').map(({ data }) => [data.type, data.message])).toEqual([
      ['thinking', '思考中...'],
      ['generating', 'レスポンスを生成中...'],
    ]);
  });

  test('R002-11 R002-19 R002-27.1 a run begins with init, and ends with title, context_status, done; the title comes once', async () => {
    world().answer([{ text: answer }]);
    const [first, second] = [await world().say('order', 'Who are you?'), await world().say('order')];
    expect([first, second].map((events) => events[0]?.event)).toEqual(['init', 'init']);
    expect(first.slice(-3).map(({ event }) => event)).toEqual(['title', 'context_status', 'done']);
    expect(named(first, 'title')[0]?.data.title).toBe('Who are you?');
    expect(named(second, 'title')).toEqual([]);
    expect(second.slice(-2).map(({ event }) => event)).toEqual(['context_status', 'done']);
    const [init] = named(first, 'init').map(({ data }) => data);
    expect(init).toMatchObject({ conversation_id: 'order', tools: expect.arrayContaining(['Read', 'Bash']) });
    expect(init?.session_id).toBe(named(first, 'done')[0]?.data.session_id);
  });

  test('R002-14.1,3 R002-15.1,3 R002-25 a tool is called and answered in the order of the specification', async () => {
    world().place.write('notes/a.txt', 'the content\n');
    const input = { file_path: 'notes/a.txt' };
    world().answer([{ text: 'I look.', tools: [{ name: 'Read', input }] }, { text: answer }]);
    const events = await world().say('tool');
    const about = events.filter(
      (event) =>
        event.event === 'tool_call' ||
        event.event === 'tool_result' ||
        (event.event === 'progress' && event.data.type === 'tool'),
    );
    expect(about.map(({ event, data }) => ('tool_status' in data ? data.tool_status : event))).toEqual([
      'pending',
      'tool_call',
      'running',
      'completed',
      'tool_result',
    ]);
    const [call] = named(events, 'tool_call').map(({ data }) => data);
    expect(call).toMatchObject({ tool_name: 'Read', input, summary: 'ファイルを読み取り: a.txt' });
    expect(call).not.toHaveProperty('parent_agent_id');
    expect(named(events, 'tool_result').map(({ data }) => data)).toMatchObject([
      {
        tool_use_id: call?.tool_use_id,
        tool_name: 'Read',
        status: 'completed',
        content: expect.stringContaining('the content'),
        is_error: false,
      },
    ]);
    expect(named(events, 'done')[0]?.data).toMatchObject({ result: answer, turn_count: 2 });
    expect(world().requests()[1]).toContain('the content');
  });

  test.each(Object.entries(passing))(
    'X003-14.1 X002-15.1 after %s the vendor is asked again, and its answer is shown whole and once',
    async (name, [step, bend = {}]) => {
      world().answer([step, { text: answer }], bend, {});
      const events = await world().say(`passing-${name.replaceAll(' ', '-')}`);
      expect(textOf(events)).toBe(answer);
      expect(named(events, 'error')).toEqual([]);
      expect(named(events, 'done')[0]?.data).toMatchObject({ status: 'success', result: answer });
      // The reset connection does not reach the vendor.
      expect(world().requests()).toHaveLength(bend.resets === true ? 1 : 2);
    },
  );

  test.each(Object.entries(failures))(
    'R002-23 X002-8.1-3 %s ends the run with one error that says so',
    async (name, { step, bend = {}, mostRequests = 1, opens, error }) => {
      world().answer([step], bend);
      const events = await world().say(`failure-${name.replaceAll(' ', '-')}`);
      expect(events[0]?.event).toBe(opens ? 'init' : 'error');
      expect(events.length > 2).toBe(opens);
      expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'done']);
      const [told] = named(events, 'error').map(({ data }) => data);
      expect(told).toMatchObject(error);
      expect(told?.message).toMatch(/\S/);
      expect(told?.message).not.toMatch(/Cannot read|undefined|\[object|is a bug/);
      expect(textOf(events)).not.toContain('\uFFFD');
      expect(answer.startsWith(textOf(events))).toBe(true);
      expect(named(events, 'done')[0]?.data).toMatchObject({
        status: 'error',
        turn_count: expect.any(Number),
      });
      expect(world().requests()).not.toEqual([]);
      expect(world().requests().length).toBeLessThanOrEqual(mostRequests);
    },
  );

  test.each([
    ['an answer', { text: answer }, 0],
    ['status 401', { status: 401, message: 'invalid key' }, 4],
    ['a connection that is lost in mid-answer', { text: answer, cut: true }, 4],
  ] as const)(
    'X000-8.2 at the command line, %s ends with the exit code of its outcome',
    async (_name, step, code) => {
      const { place, lead, env } = world();
      world().answer([step]);
      const ended = await place.collab(['chat', ...lead], { input: 'Hello?\n', env });
      expect([ended.code, ended.stderr.includes('no answer: '), ended.stdout.includes(answer)]).toEqual([
        code,
        code !== 0,
        code === 0,
      ]);
      expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/Cannot read|undefined|\[object|is a bug/);
    },
  );

  test('R002-27.2 X002-7 a conversation that the model found too long is refused from then on, without asking it', async () => {
    world().answer([{ status: 413 }]);
    await world().say('too-long');
    world().answer([{ text: answer }]);
    const again = await world().say('too-long');
    expect(again.map(({ event }) => event)).toEqual(['error', 'done']);
    expect(named(again, 'error')[0]?.data).toMatchObject({ seq: 1, error_type: 'context_limit_exceeded' });
    expect(world().requests()).toEqual([]);
  });
});
