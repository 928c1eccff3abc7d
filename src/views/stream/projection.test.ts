import { describe, expect, test } from 'vitest';
import {
  advisor,
  answered,
  called,
  ended,
  eventStream,
  said,
  started,
  startedUnbound,
  used,
  type Occurrence,
} from '../../../test/fixtures/screens/event-streams.ts';
import { errorKinds, type ErrorKind, type EventBody } from '../../events/collab-event.ts';
import { streamingErrorType } from './errors.ts';
import type { StreamingEvent } from './event.ts';
import {
  isAssistantEvent,
  isContextStatusEvent,
  isDoneEvent,
  isErrorEvent,
  isProgressEvent,
  isSubagentEndEvent,
  isSubagentStartEvent,
  isToolCallEvent,
  isToolResultEvent,
} from './guards.ts';
import { projectToStreaming, type StreamingOptions } from './projection.ts';

type Told = readonly (EventBody | Occurrence)[];

function streamOf(told: Told, options?: StreamingOptions): readonly StreamingEvent[] {
  return projectToStreaming(eventStream(told), options);
}

function names(stream: readonly StreamingEvent[]): readonly string[] {
  return stream.map(({ event }) => event);
}

/** The data of all events of one kind. */
function all<Wanted extends StreamingEvent>(
  stream: readonly StreamingEvent[],
  isWanted: (event: StreamingEvent) => event is Wanted,
): readonly Wanted['data'][] {
  return stream.filter(isWanted).map(({ data }) => data);
}

function failed(kind: ErrorKind, message: string): EventBody {
  return { type: 'error', kind, message, retryable: false };
}

const turnEnded: EventBody = { type: 'turn.ended', stop_reason: 'end_turn', usage: null };

function inExchange(exchangeId: string, body: EventBody, step = exchangeId): Occurrence {
  return { body, agent: advisor, exchangeId, step };
}

function asked(exchangeId: string, attempt = 1): Occurrence {
  return inExchange(exchangeId, {
    type: 'exchange.sent',
    tag: '[REQUEST:REVIEW]',
    attempt,
    prompt_bytes: 1,
    prompt_ref: 'p',
    question: 'Is it right?',
  });
}

const settled: EventBody = { type: 'exchange.ended', outcome: 'settled', attempts: 1 };

describe('speakers', () => {
  test('R002-24.2 X002-18.4 X002-21.2 shows each exchange as a sub-agent Codex, also two at a time', () => {
    const stream = streamOf([
      started(),
      asked('e1'),
      asked('e2'),
      inExchange('e2', { type: 'text.delta', block_id: 'b', text: 'two' }),
      inExchange('e1', { type: 'text.delta', block_id: 'b', text: 'one' }),
      inExchange('e1', settled),
      inExchange('e2', settled),
      ended(),
    ]);
    expect(all(stream, isSubagentStartEvent)).toMatchObject([
      { agent_id: 'e1', agent_type: 'Codex', description: 'Is it right?', model: 'gpt-5-codex' },
      { agent_id: 'e2', agent_type: 'Codex' },
    ]);
    expect(all(stream, isAssistantEvent)).toMatchObject([
      { content_blocks: [{ text: 'two' }], parent_agent_id: 'e2' },
      { content_blocks: [{ text: 'one' }], parent_agent_id: 'e1' },
    ]);
    expect(all(stream, isSubagentEndEvent)).toMatchObject([
      { agent_id: 'e1', status: 'completed', result_preview: 'one' },
      { agent_id: 'e2', status: 'completed', result_preview: 'two' },
    ]);
  });

  test('an exchange that asks again stays one sub-agent, whose preview is the last answer', () => {
    const stream = streamOf([
      started(),
      asked('e1'),
      inExchange('e1', { type: 'text.delta', block_id: 'b', text: 'nothing' }),
      inExchange('e1', { type: 'exchange.rejected', reason: 'empty', detail: '', action: 'repairing' }),
      asked('e1', 2),
      inExchange('e1', { type: 'text.delta', block_id: 'c', text: 'an answer' }),
      inExchange('e1', settled),
      ended(),
    ]);
    expect(all(stream, isSubagentStartEvent)).toHaveLength(1);
    expect(all(stream, isProgressEvent).map(({ message }) => message)).toContain('もう一度問い合わせ中...');
    expect(all(stream, isSubagentEndEvent)).toMatchObject([{ result_preview: 'an answer' }]);
  });

  test('R002-16.3 R002-24 X002-18.1,2 the agent of a Task starts after the call and ends before its result', () => {
    const stream = streamOf([
      started(),
      called('task', 'Task', { description: 'look around' }),
      { type: 'agent.started', agent_id: 'task', agent_type: 'Explore', description: 'look around' },
      { body: called('inner', 'Grep', { pattern: 'function' }), parentAgentId: 'task' },
      { body: answered('inner', 'Grep', '3'), parentAgentId: 'task' },
      answered('task', 'Task', 'found'),
      { type: 'agent.ended', agent_id: 'task', status: 'completed' },
      ended(),
    ]);
    const order = names(stream).filter((name) => name !== 'progress');
    expect(order).toEqual([
      'init',
      'tool_call',
      'subagent_start',
      'tool_call',
      'tool_result',
      'subagent_end',
      'tool_result',
      'done',
    ]);
    expect(all(stream, isToolCallEvent)).toMatchObject([
      { summary: 'サブエージェントを開始: look around' },
      { parent_agent_id: 'task', summary: 'パターン検索: function' },
    ]);
    expect(all(stream, isToolCallEvent)[0]).not.toHaveProperty('parent_agent_id');
  });

  test('X002-18.3 an agent below a sub-agent names who started it', () => {
    const stream = streamOf([
      started(),
      { type: 'agent.started', agent_id: 'outer', agent_type: 'Plan', description: '' },
      {
        body: { type: 'agent.started', agent_id: 'inner', agent_type: 'Explore', description: '' },
        parentAgentId: 'outer',
      },
      ended(),
    ]);
    expect(all(stream, isSubagentStartEvent).map(({ parent_agent_id }) => parent_agent_id)).toEqual([
      undefined,
      'outer',
    ]);
    expect(all(stream, isSubagentEndEvent).map(({ agent_id }) => agent_id)).toEqual(['inner', 'outer']);
  });
});

describe('text', () => {
  test('R002-18.3 X002-19 announces thinking and generating on a change, for each agent', () => {
    const thought: EventBody = { type: 'thinking.delta', block_id: 't', text: 'hm' };
    const text: EventBody = { type: 'text.delta', block_id: 'b', text: 'so' };
    const stream = streamOf([
      started(),
      thought,
      thought,
      text,
      { type: 'agent.started', agent_id: 'sub', agent_type: 'Explore', description: '' },
      { body: text, parentAgentId: 'sub' },
      text,
      called('c', 'Read', { file_path: 'a' }),
      answered('c', 'Read', ''),
      text,
      thought,
      ended(),
    ]);
    const announced = all(stream, isProgressEvent).filter(({ type }) => type !== 'tool');
    expect(announced.map(({ type, parent_agent_id }) => [type, parent_agent_id])).toEqual([
      ['thinking', undefined],
      ['generating', undefined],
      ['generating', 'sub'],
      ['thinking', undefined],
    ]);
  });

  test('R002-15.1 X002-17 a result is a preview that splits no grapheme, and an error says so twice', () => {
    const family = '👨‍👩‍👧';
    const stream = streamOf([
      started(),
      called('c1', 'Bash', { command: 'cat' }),
      answered('c1', 'Bash', 'x'.repeat(1995) + family.repeat(3)),
      called('c2', 'Bash', { command: 'jq' }),
      {
        type: 'tool.result',
        call_id: 'c2',
        name: 'Bash',
        content: '',
        data: { found: [1] },
        is_error: true,
        duration_ms: 1,
      },
      ended(),
    ]);
    expect(all(stream, isToolResultEvent)).toMatchObject([
      { content: `${'x'.repeat(1995)}…`, status: 'completed', is_error: false },
      { content: '{"found":[1]}', status: 'error', is_error: true },
    ]);
  });

  test('items that a lost attempt opened end with an error, and its text is not a result', () => {
    const stream = streamOf([
      started(),
      { body: { type: 'text.delta', block_id: 'b', text: 'lost' }, step: 's' },
      { body: called('c', 'Bash', { command: 'sleep' }), step: 's' },
      { body: { type: 'step.abandoned', step: 's', attempt: 1 }, step: 's' },
      ended(),
    ]);
    expect(all(stream, isToolResultEvent)).toMatchObject([{ status: 'error', content: '中断されました' }]);
    expect(all(stream, isDoneEvent)).toMatchObject([{ result: null }]);
  });

  test('R002-19.2 X002-16.1 the title comes once', () => {
    const stream = streamOf([
      started(),
      { type: 'title', title: 'one' },
      { type: 'title', title: 'two' },
      ended(),
    ]);
    expect(names(stream)).toEqual(['init', 'title', 'done']);
  });

  test('R002-2.2 R002-11.1 X002-21.1 init waits for the session, and tells the model by its name for people', () => {
    const stream = streamOf(
      [startedUnbound(), { type: 'session.bound', provider_session_id: 'known', resumable: true }, ended()],
      { modelName: (_model, provider) => (provider === 'claude_code' ? 'Claude Opus 4' : provider) },
    );
    expect(stream[0]).toMatchObject({ event: 'init', data: { session_id: 'known', model: 'Claude Opus 4' } });
  });
});

/** The message at each level of a filling context. */
function messages(language: 'ja' | 'en'): readonly (string | null)[] {
  return [1, 70, 85, 95].flatMap((tokens) => {
    const told: Told = [started(), turnEnded, { type: 'context', tokens, max: 100 }, ended()];
    return all(streamOf(told, { language }), isContextStatusEvent).map(({ message }) => message ?? null);
  });
}

describe('the context', () => {
  const max = 200_000;
  test.each([
    [139_999, 69.9, 'normal', true],
    [140_000, 70, 'warning', true],
    [169_999, 84.9, 'warning', true],
    [170_000, 85, 'critical', true],
    [189_920, 94.9, 'critical', true],
    [189_999, 94.9, 'critical', true],
    [190_000, 95, 'blocked', false],
    [240_000, 120, 'blocked', false],
  ])('R002-29 R002-30 X002-3 %i of 200,000 tokens are %f %%: %s', (tokens, percent, level, canContinue) => {
    const stream = streamOf([started(), turnEnded, { type: 'context', tokens, max }, ended()]);
    expect(stream.slice(-2)).toMatchObject([
      {
        event: 'context_status',
        data: {
          current_context_tokens: tokens,
          max_context_tokens: max,
          usage_percent: percent,
          warning_level: level,
          can_continue: canContinue,
          recommended_action: level === 'normal' ? null : 'new_chat',
        },
      },
      { event: 'done' },
    ]);
  });

  test('R002-33 X002-5 each level has its sentence, in English too; normal has none', () => {
    expect(messages('ja')).toEqual([
      null,
      '会話が長くなっています。新しいチャットを開始することをおすすめします。',
      '次の返信でエラーが発生する可能性があります。新しいチャットを開始してください。',
      'コンテキストの上限に達しました。新しいチャットを開始してください。',
    ]);
    expect(messages('en').slice(1).join(' ')).toMatch(/^[\x20-\x7e]+$/);
  });

  test('X002-4.1,2 counts the last call of the main agent, cache included, against its model', () => {
    const call = { ...used(100, 20, 0), cache_read: 3000, cache_write_5m: 400 };
    const stream = streamOf(
      [
        started(),
        used(9, 9, 0),
        call,
        { body: used(7, 7, 0), agent: advisor, exchangeId: 'e' },
        turnEnded,
        ended(),
      ],
      { contextLength: (model) => (model === 'claude-opus-4-20250514' ? 10_000 : 1) },
    );
    expect(all(stream, isContextStatusEvent)).toMatchObject([
      { current_context_tokens: 3520, max_context_tokens: 10_000 },
    ]);
  });

  test('X002-4.2 the size is that of the requested model if the vendor names a version without a profile', () => {
    const stream = streamOf([started(), turnEnded, { ...used(100, 20, 0), model: 'a-version' }, ended()], {
      contextLength: (model) => (model === 'claude-opus-4-20250514' ? 10_000 : null),
    });
    expect(all(stream, isContextStatusEvent)).toMatchObject([
      { current_context_tokens: 120, max_context_tokens: 10_000 },
    ]);
  });

  test.each([
    ['no turn was completed', [{ type: 'context', tokens: 1, max: 2 }, ended()]],
    ['the size is not known', [turnEnded, used(1, 1, 0), ended()]],
    ['the run failed', [turnEnded, { type: 'context', tokens: 1, max: 2 }, ended(1, 'error')]],
  ] satisfies [string, EventBody[]][])('X002-4.3 X002-6.1 is not told where %s', (_, told) => {
    expect(names(streamOf([started(), ...told]))).not.toContain('context_status');
  });

  test('R002-21.3 X002-6.2 is told of a cancelled run', () => {
    const told: Told = [started(), turnEnded, { type: 'context', tokens: 1, max: 2 }, ended(1, 'cancelled')];
    expect(names(streamOf(told)).slice(-2)).toEqual(['context_status', 'done']);
  });
});

describe('the end', () => {
  const recoverable = new Set(['conversation_locked', 'timeout_error']);

  test.each(errorKinds.filter((kind) => kind !== 'cancelled'))(
    'R002-23.2 R002-39 %s has its name',
    (kind) => {
      const stream = streamOf([started(), failed(kind, 'it broke'), ended(1, 'error')], { language: 'en' });
      const type = streamingErrorType(kind);
      expect(stream.slice(-2)).toMatchObject([
        {
          event: 'error',
          data: { error_type: type, message: 'it broke', recoverable: recoverable.has(type ?? '') },
        },
        { event: 'done', data: { status: 'error', is_error: true, errors: ['it broke'] } },
      ]);
    },
  );

  test.each(errorKinds.filter((kind) => kind !== 'cancelled'))(
    'R002-39 R002-40 %s is in the language of the stream',
    (kind) => {
      const stream = streamOf([started(), failed(kind, 'it broke'), ended(1, 'error')]);
      const [fault] = all(stream, isErrorEvent);
      expect(fault?.message).toMatch(/^[ぁ-んァ-ヶ一-龠ーA-Z、]+(。|: it broke$)/);
      expect(all(stream, isDoneEvent)[0]?.errors).toEqual([fault?.message]);
    },
  );

  test('R002-39 every name has a kind', () => {
    const types = new Set(errorKinds.map(streamingErrorType).filter((type) => type !== null));
    expect([...types].toSorted()).toEqual([
      'background_execution_error',
      'background_task_error',
      'context_limit_exceeded',
      'conversation_locked',
      'execution_error',
      'model_validation_error',
      'options_error',
      'sdk_not_installed',
      'timeout_error',
    ]);
  });

  test.each(['locked', 'cli_missing', 'options', 'model', 'context_limit'] as const)(
    'R002-27.2 X002-8.3 a run that is refused for %s has no init',
    (kind) => {
      const stream = streamOf([startedUnbound(), failed(kind, 'no'), ended(1, 'error')]);
      expect(stream.map(({ event, data }) => [event, data.seq])).toEqual([
        ['error', 1],
        ['done', 2],
      ]);
    },
  );

  test.each(['auth', 'model', 'context_limit'] as const)(
    'R002-27.2 X002-8.3 a run whose model refuses the first request for %s has no init, though its session is known',
    (kind) => {
      const refused = streamOf([started(), failed(kind, 'no'), ended(1, 'error')]);
      expect(names(refused)).toEqual(['error', 'done']);
      const later = streamOf([started(), { type: 'turn.started' }, failed(kind, 'no'), ended(1, 'error')]);
      expect(names(later)).toEqual(['init', 'error', 'done']);
    },
  );

  test('X002-14.1 X002-15.2 a rate limit is an execution error, and says when and why', () => {
    const limit: EventBody = {
      type: 'error',
      kind: 'rate_limit',
      message: '429',
      retryable: true,
      retry_after_ms: 3000,
    };
    const stream = streamOf([started(), limit, ended(1, 'error')]);
    expect(all(stream, isErrorEvent)).toMatchObject([
      { error_type: 'execution_error', recoverable: false, retry_after_ms: 3000, cause: 'rate_limit' },
    ]);
  });

  test.each(['model', 'options', 'auth', 'context_limit'] as const)(
    'X002-8.3 a served turn, whose session is known, has no init if the model refuses its first request for %s',
    (kind) => {
      const stream = streamOf([started(), failed(kind, 'no'), ended(1, 'error')]);
      expect(names(stream)).toEqual(['error', 'done']);
    },
  );

  test('X002-15 a repeat is progress with its wait, and the error of the run is the last one', () => {
    const limit: EventBody = { type: 'error', kind: 'rate_limit', message: '429', retryable: true };
    const run: Told = [
      started(),
      { ...limit, retry_after_ms: 1500, repeat_in_ms: 1500 },
      { ...limit, kind: 'network', repeat_in_ms: 20 },
      { ...limit, kind: 'overloaded', message: '529 (3 attempts)', retry_after_ms: 9000 },
      { ...ended(1, 'error'), errors: ['529 (3 attempts)'] },
    ];
    const stream = streamOf(run);
    expect(names(stream)).toEqual(['init', 'progress', 'progress', 'error', 'done']);
    expect(all(stream, isProgressEvent)).toMatchObject([
      { type: 'thinking', message: 'レート制限に達しました。2秒後に再試行します...' },
      { type: 'thinking', message: 'モデルとの接続が切れました。1秒後に再試行します...' },
    ]);
    expect(all(stream, isErrorEvent)).toMatchObject([
      {
        error_type: 'execution_error',
        message: 'モデルが混み合っています: 529 (3 attempts)',
        retry_after_ms: 9000,
        cause: 'overloaded',
      },
    ]);
  });

  test('X002-15 a repeat that succeeds leaves no error', () => {
    const repeat = { ...failed('overloaded', '529'), repeat_in_ms: 5000 } as const;
    const stream = streamOf([started(), repeat, { type: 'turn.started' }, ...said('hi'), ended()]);
    expect(names(stream)).not.toContain('error');
    expect(names(stream)).toContain('assistant');
    expect(all(stream, isDoneEvent)).toMatchObject([{ status: 'success', errors: null }]);
  });

  test('an error that the agent recovered from is not why the run failed', () => {
    const stream = streamOf(
      [
        started(),
        { type: 'turn.started' },
        failed('timeout', 'too slow'),
        { type: 'turn.started' },
        { ...ended(1, 'error'), errors: ['the answer had no marker'] },
      ],
      { language: 'en' },
    );
    expect(all(stream, isErrorEvent)).toMatchObject([
      { error_type: 'execution_error', message: 'the answer had no marker' },
    ]);
  });

  test('X002-11.1 a cancelled run tells what was said until then, and no error', () => {
    const stream = streamOf([started(), ...said('half'), failed('cancelled', 'stop'), ended(1, 'cancelled')]);
    expect(names(stream)).not.toContain('error');
    expect(all(stream, isDoneEvent)).toMatchObject([
      { status: 'cancelled', is_error: false, errors: null, result: 'half' },
    ]);
  });

  test('X002-32 the result is what the main agent said after its last tool', () => {
    const stream = streamOf([
      started(),
      { type: 'turn.started' },
      ...said('let me look'),
      called('c', 'Read', { file_path: 'a' }),
      answered('c', 'Read', ''),
      { type: 'turn.started' },
      ...said('it is', { block: 'b2' }),
      ...said('right', { block: 'b3' }),
      asked('e'),
      inExchange('e', { type: 'turn.started' }),
      inExchange('e', { type: 'text.delta', block_id: 'b', text: 'not mine' }),
      inExchange('e', settled),
      ended(1234),
    ]);
    expect(all(stream, isDoneEvent)).toMatchObject([
      { result: 'it is\n\nright', turn_count: 2, duration_ms: 1234, session_id: 'abc123' },
    ]);
  });

  test('R002-38 X002-23.3 an unknown price counts nothing and says so', () => {
    const stream = streamOf([started(), used(1, 1, 0.1), used(1, 1, 0.2), used(1, 1, null), ended()]);
    expect(all(stream, isDoneEvent)).toMatchObject([{ cost_usd: '0.3', cost_known: false }]);
    expect(all(streamOf([started(), ended()]), isDoneEvent)).toMatchObject([{ cost_usd: '0' }]);
  });

  test('X002-8.2 X002-14.3 a run that stopped without an end gets one', () => {
    const stream = streamOf([started(), called('c', 'Bash', { command: 'sleep' })]);
    expect(names(stream).slice(-4)).toEqual(['progress', 'tool_result', 'error', 'done']);
    expect(all(stream, isErrorEvent)).toMatchObject([{ error_type: 'background_task_error' }]);
  });
});
