import { describe, expect, test } from 'vitest';
import {
  advisor,
  answered,
  called,
  ended,
  eventStream,
  lead,
  said,
  started,
  startedUnbound,
  used,
  type Occurrence,
} from '../../../test/fixtures/screens/event-streams.ts';
import { errorKinds, type EventBody } from '../../events/collab-event.ts';
import { responseErrorType } from './responses-of-event.ts';
import { createResponseProjection } from './response-projection.ts';
import { projectToResponses } from './response-projection.test-helper.ts';
import type { Response } from './response.ts';

const init: Response = {
  type: 'init',
  content: 'Claude Code',
  session_id: 'abc123',
  model: 'claude-opus-4-20250514',
  content_type: 'text',
};
const emptyResult: Response = {
  type: 'result',
  content: 'duration_ms=1234, cost_usd=0.000000, input_tokens=0, output_tokens=0',
  token: 0,
  content_type: 'text',
};

/** The responses between Init and Result. */
function between(occurrences: readonly (EventBody | Occurrence)[]): readonly Response[] {
  return projectToResponses(eventStream([started(), ...occurrences, ended()])).slice(1, -1);
}

function finalOf(bodies: readonly EventBody[]): Response | undefined {
  return projectToResponses(eventStream([started(), ...bodies, ended()])).at(-1);
}

function piece(exchangeId: string, text: string): Occurrence {
  return { body: { type: 'text.delta', block_id: 'b', text }, exchangeId };
}
function whole(exchangeId: string, text: string): Occurrence {
  return { body: { type: 'text.end', block_id: 'b', text }, exchangeId };
}

function inStep(step: string, text: string): Occurrence {
  return { body: { type: 'text.delta', block_id: 'b', text }, exchangeId: step, step };
}

function editIn(step: string, path: string): Occurrence {
  return { body: called(step, 'Edit', { file_path: path }), step };
}

function task(agentId: string, parentAgentId?: string): Occurrence {
  return {
    body: { type: 'agent.started', agent_id: agentId, agent_type: `Sub ${agentId}`, description: 'look' },
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
  };
}

function message(content: string): Response {
  return { type: 'message', content, content_type: 'markdown' };
}
function use(tool: string, content: string): Response {
  return { type: 'tool_use', tool, content, content_type: 'text' };
}
function result(tool: string, content: string): Response {
  return { type: 'tool_result', tool, content, content_type: 'text' };
}

describe('the responses of one session', () => {
  test('R000-2 the run opens with the agent, its session and its model', () => {
    expect(projectToResponses(eventStream([started(), ended()]))).toEqual([init, emptyResult]);
  });

  test('R000-3 every piece of a text is a Markdown message of its own', () => {
    expect(between(said('Hello there.', { size: 6 }))).toEqual([message('Hello '), message('there.')]);
  });

  test('R000-4 R000-5 a tool call is its tool and main argument, its result the whole output', () => {
    expect(between([called('t1', 'Bash', { command: 'ls -la' }), answered('t1', 'Bash', 'a\nb\n')])).toEqual([
      use('Bash', 'ls -la'),
      result('Bash', 'a\nb\n'),
    ]);
  });

  test.each([
    ['Read', { file_path: 'a.ts' }, 'a.ts'],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'a.ipynb'],
    ['LS', { path: 'src' }, 'src'],
    ['Glob', { pattern: '**/*.ts' }, '**/*.ts'],
    ['TodoWrite', { todos: 'three' }, ''],
    ['WebFetch', { url: 'https://example.org', prompt: 'read' }, 'https://example.org'],
    ['Task', { description: 'look around', prompt: 'long' }, 'look around'],
    ['mcp__db__query', { sql: 'select 1' }, 'select 1'],
  ])('R000-4 the content of a %s call is its main argument', (tool, args, content) => {
    expect(between([called('t1', tool, args)])).toEqual([use(tool, content)]);
  });

  test('R000-6.1 X000-9 an error and a failed tool result become errors, never results', () => {
    expect(
      between([
        called('t1', 'Read', { file_path: 'a.ts' }),
        answered('t1', 'Read', 'ENOENT', true),
        { type: 'error', kind: 'auth', message: 'not logged in', retryable: false },
      ]),
    ).toEqual([
      use('Read', 'a.ts'),
      { type: 'error', content: 'ENOENT', tool: 'Read', content_type: 'text' },
      { type: 'error', content: 'not logged in', error_type: 'not_logged_in', content_type: 'text' },
    ]);
  });

  test('X000-7 every error kind has a name of the closed set, but a cancellation, which is no error', () => {
    const names = Object.fromEntries(errorKinds.map((kind) => [kind, responseErrorType(kind)]));
    expect(names).toEqual({
      locked: 'conversation_locked',
      cli_missing: 'cli_not_found',
      auth: 'not_logged_in',
      model: 'model_validation_error',
      options: 'options_error',
      rate_limit: 'network_error',
      overloaded: 'network_error',
      server: 'network_error',
      network: 'network_error',
      timeout: 'network_error',
      context_limit: 'context_limit_exceeded',
      protocol: 'execution_error',
      parse: 'execution_error',
      internal: 'background_execution_error',
      orphaned: 'background_task_error',
      cancelled: null,
    });
  });

  test('a text known only as a whole is one message, and one known by its pieces is not repeated', () => {
    expect(
      between([
        { type: 'text.start', block_id: 'b1', follow_up: false },
        { type: 'text.end', block_id: 'b1', text: 'whole' },
      ]),
    ).toEqual([message('whole')]);
  });

  test('two messages with nothing in between are separated by an empty line', () => {
    expect(between([...said('One.\n', { size: 9 }), ...said('Two.', { block: 'b2', size: 9 })])).toEqual([
      message('One.\n'),
      message('\nTwo.'),
    ]);
  });

  test('a file that was changed within an edit is not repeated, another one is reported', () => {
    expect(
      between([
        called('t1', 'Edit', { file_path: '/home/user/project/src/a.ts' }),
        { type: 'file.changed', path: 'src/a.ts', kind: 'update' },
        { type: 'file.changed', path: 'src/new.ts', kind: 'add' },
        answered('t1', 'Edit', 'done'),
      ]),
    ).toEqual([
      use('Edit', '/home/user/project/src/a.ts'),
      use('Write', 'src/new.ts'),
      use('Edit', '/home/user/project/src/a.ts'),
      result('Edit', 'done'),
    ]);
  });

  test('an edit of several files names them all, and repeats none', () => {
    const edit: EventBody = {
      type: 'tool.call',
      call_id: 't1',
      name: 'Edit',
      display_name: 'Edit',
      args: { paths: ['src/a.ts', 'src/b.ts'] },
      summary: '["src/a.ts","src/b.ts"]',
      trigger: 'agent',
    };
    expect(between([edit, { type: 'file.changed', path: 'src/b.ts', kind: 'update' }])).toEqual([
      use('Edit', 'src/a.ts, src/b.ts'),
    ]);
  });

  test('a plan is a TodoWrite; media and components are a line that names them', () => {
    expect(
      between([
        {
          type: 'plan.updated',
          items: [
            { text: 'read', done: true },
            { text: 'write', done: false },
          ],
        },
        { type: 'text.delta', block_id: 'b1', text: 'See:' },
        { type: 'media', kind: 'image', mime_type: 'image/png', data: '' },
        { type: 'ui', component: null },
      ]),
    ).toEqual([
      use('TodoWrite', ''),
      result('TodoWrite', '- [x] read\n- [ ] write'),
      message('See:'),
      message('\n[image]\n'),
      message('[ui]\n'),
    ]);
  });
});

describe('the statistics', () => {
  test('R000-7.1 R000-15.1,2 X000-2.1 hold duration, price with six decimals and tokens; the next context stands beside', () => {
    const responses = projectToResponses(eventStream([started(), used(10, 20, 0.001), ended()]));
    expect(responses.at(-1)).toEqual({
      type: 'result',
      content: 'duration_ms=1234, cost_usd=0.001000, input_tokens=10, output_tokens=20',
      token: 30,
      content_type: 'text',
    });
  });

  test('X000-10.3 there is one Result, the advisor’s totals are in it and its context is not', () => {
    const responses = projectToResponses(
      eventStream([
        started(),
        used(10, 20, 0.001),
        { body: used(5, 7, 0.5), agent: advisor },
        ended(),
        ended(),
      ]),
    );
    expect(responses.filter(({ type }) => type === 'result')).toEqual([
      {
        type: 'result',
        content: 'duration_ms=1234, cost_usd=0.501000, input_tokens=15, output_tokens=27',
        token: 30,
        content_type: 'text',
      },
    ]);
  });

  test('X000-2.1 the next context counts the cache of the last call, and a reported context wins', () => {
    const cached: EventBody = { ...usage(10, 20), cache_read: 100, cache_write_5m: 5, cache_write_1h: 2 };
    expect(finalOf([used(1, 1, 0), cached])).toMatchObject({ token: 137 });
    expect(finalOf([cached, { type: 'context', tokens: 9000, max: 200_000 }])).toMatchObject({ token: 9000 });
  });

  test('an unknown price is omitted rather than shown as zero', () => {
    const responses = projectToResponses(
      eventStream([started(), used(1, 2, 0.5), used(3, 4, null), ended()]),
    );
    expect(responses.at(-1)).toMatchObject({ content: 'duration_ms=1234, input_tokens=4, output_tokens=6' });
  });

  test('a turn’s own usage counts only if none of its calls reported any', () => {
    const turnEnded: EventBody = { type: 'turn.ended', stop_reason: 'end_turn', usage: usage(10, 20) };
    expect(finalOf([turnEnded])).toMatchObject({ token: 30 });
    expect(finalOf([usage(10, 20), turnEnded, turnEnded])).toMatchObject({
      content: 'duration_ms=1234, cost_usd=0.000000, input_tokens=20, output_tokens=40',
    });
  });
});

describe('parallel work', () => {
  test('X000-13 a result whose use is not the last line is preceded by its use again', () => {
    expect(
      between([
        called('a', 'Bash', { command: 'one' }),
        called('b', 'Bash', { command: 'two' }),
        answered('a', 'Bash', '1'),
        answered('b', 'Bash', '2'),
      ]),
    ).toEqual([
      use('Bash', 'one'),
      use('Bash', 'two'),
      use('Bash', 'one'),
      result('Bash', '1'),
      use('Bash', 'two'),
      result('Bash', '2'),
    ]);
  });

  test('X000-13.2 a message between use and result makes the use come again', () => {
    expect(
      between([called('a', 'Bash', { command: 'one' }), ...said('Wait.'), answered('a', 'Bash', '1')]),
    ).toEqual([use('Bash', 'one'), message('Wait.'), use('Bash', 'one'), result('Bash', '1')]);
  });

  test('texts of two exchanges are not mixed: the second follows when the first is complete', () => {
    expect(
      between([
        piece('e1', 'first '),
        piece('e2', 'second '),
        piece('e1', 'text'),
        whole('e1', 'first text'),
        piece('e2', 'text'),
        whole('e2', 'second text'),
      ]),
    ).toEqual([message('first '), message('text'), message('\n\nsecond '), message('text')]);
  });

  test('a speaker that continues with a tool has ended the text, whether it was closed or not', () => {
    expect(
      between([
        inStep('s1', 'one'),
        inStep('s2', 'two'),
        { body: called('t1', 'Bash', { command: 'ls' }), exchangeId: 's1', step: 's1' },
        inStep('s2', ' more'),
        inStep('s1', 'later'),
      ]),
    ).toEqual([message('one'), use('Bash', 'ls'), message('two'), message(' more'), message('\n\nlater')]);
  });

  test('held events of a lost attempt are dropped, those of other agents are not', () => {
    const abandoned: EventBody = { type: 'step.abandoned', step: 's2', attempt: 1 };
    expect(
      between([
        inStep('s1', 'one'),
        inStep('s2', 'two'),
        inStep('s3', 'three'),
        abandoned,
        inStep('s1', ' more'),
      ]),
    ).toEqual([message('one'), message(' more'), message('\n\nthree')]);
    expect(between([inStep('s2', 'one'), inStep('s3', 'three'), abandoned, inStep('s3', ' more')])).toEqual([
      message('one'),
      message('\n\nthree'),
      message(' more'),
    ]);
  });

  test('the open calls of a lost attempt get no result, those of another step do', () => {
    expect(
      between([
        editIn('s1', 'a.ts'),
        editIn('s2', 'b.ts'),
        { type: 'step.abandoned', step: 's1', attempt: 1 },
        { type: 'file.changed', path: 'a.ts', kind: 'update' },
        { body: answered('s2', 'Edit', 'done'), step: 's2' },
      ]),
    ).toEqual([
      use('Edit', 'a.ts'),
      use('Edit', 'b.ts'),
      use('Edit', 'a.ts'),
      use('Edit', 'b.ts'),
      result('Edit', 'done'),
    ]);
  });

  test('X000-10.1 what the advisor says carries its name and depth', () => {
    const bound: EventBody = { type: 'session.bound', provider_session_id: 'thread-1', resumable: true };
    expect(
      between([
        { body: bound, agent: advisor },
        {
          body: { type: 'text.delta', block_id: 'b', text: 'Sound.' },
          agent: advisor,
          parentAgentId: lead.id,
        },
      ]),
    ).toEqual([
      {
        ...message('Sound.'),
        speaker: { id: 'codex', name: 'Codex', depth: 1, session_id: 'thread-1', model: 'gpt-5-codex' },
      },
    ]);
  });

  test('X000-10.4 without a lead the advisor is the session’s own agent, in all its sessions', () => {
    const other = { ...advisor, id: 'codex-2' };
    const responses = projectToResponses(
      eventStream([
        { body: started({ name: 'Codex' }), agent: advisor },
        { body: { type: 'text.delta', block_id: 'b', text: 'Sound.' }, agent: other },
        { body: ended(), agent: advisor },
      ]),
    );
    expect(responses.map((response) => 'speaker' in response)).toEqual([false, false, false]);
  });

  test('X000-10.1 a sub-agent of a sub-agent stands two deep, whichever way its events name their parent', () => {
    const text: EventBody = { type: 'text.delta', block_id: 'b', text: 'x' };
    const depths = between([
      task('t1'),
      task('t2', 't1'),
      { body: text, parentAgentId: 't1' },
      { body: { type: 'text.end', block_id: 'b', text: 'x' }, parentAgentId: 't1' },
      { body: text, parentAgentId: 't2' },
      { body: { type: 'text.end', block_id: 'b', text: 'x' }, parentAgentId: 't2' },
      { body: text, agent: { id: 't2', role: 'sub', provider: 'claude_code' }, parentAgentId: 't2' },
    ]).map((response) => ('speaker' in response ? [response.speaker?.name, response.speaker?.depth] : null));
    expect(depths).toEqual([
      ['Sub t1', 1],
      ['Sub t2', 2],
      ['Sub t2', 2],
    ]);
  });
});

describe('the opening', () => {
  const bound: EventBody = { type: 'session.bound', provider_session_id: 'late', resumable: true };

  test('R000-2 waits for the session’s id', () => {
    const projection = createResponseProjection();
    const [open, binding] = eventStream([startedUnbound(), bound]);
    expect([open, binding].map((event) => (event === undefined ? [] : projection.push(event)))).toEqual([
      [],
      [{ ...init, session_id: 'late' }],
    ]);
  });

  test('R000-2 takes the session that a step was bound to, and the agent’s own name for its provider’s', () => {
    const stepBound: EventBody = { type: 'step.bound', step: 'chunk-1', session_id: 'thread-1' };
    expect(projectToResponses(eventStream([startedUnbound('codex'), stepBound]))[0]).toEqual({
      ...init,
      content: 'Codex',
      session_id: 'thread-1',
    });
  });

  test('R000-2 learns the model from the agent that is bound, where the run did not know it', () => {
    const events = eventStream([
      {
        body: { type: 'run.started', name: 'Codex', tools: [], cwd: '/' },
        agent: { ...lead, provider: 'codex' },
      },
      { body: bound, agent: { ...lead, provider: 'codex', model: 'gpt-5-codex' } },
    ]);
    expect(projectToResponses(events)[0]).toEqual({
      type: 'init',
      content: 'Codex',
      session_id: 'late',
      model: 'gpt-5-codex',
      content_type: 'text',
    });
  });

  test('X000-1.1 goes out without an id when something is said before there is one', () => {
    const { session_id: _, ...unnamed } = init;
    expect(projectToResponses(eventStream([startedUnbound(), ...said('Hi.'), bound]))).toEqual([
      unnamed,
      message('Hi.'),
      expect.objectContaining({ type: 'result' }),
    ]);
  });
});

describe('the stream', () => {
  test('R000-1.1 R000-7.2 each event gives its responses at once, and the Result ends them', () => {
    const projection = createResponseProjection();
    const pushed = eventStream([started(), ...said('Hello.'), ended(), ...said('late')]).map((event) =>
      projection.push(event),
    );
    expect(pushed.flat()).toEqual([init, message('Hello.'), emptyResult]);
    const endsAt = pushed.findIndex((responses) => responses.some(({ type }) => type === 'result'));
    expect(endsAt).toBe(1 + said('Hello.').length);
    expect(projection.end()).toEqual([]);
  });

  test('R000-7.2 nothing follows the Result', () => {
    const events = eventStream([started(), ended(), ...said('late'), ended()]);
    expect(projectToResponses(events)).toEqual([init, emptyResult]);
  });

  test('a run that stopped halfway still gets its Result, with the time that its events span', () => {
    const responses = projectToResponses(eventStream([started(), ...said('Hello.')]));
    expect(responses.at(-1)).toMatchObject({
      type: 'result',
      content: expect.stringContaining('duration_ms=3000,'),
    });
    expect(projectToResponses([])).toEqual([]);
  });
});

function usage(input: number, output: number) {
  return {
    type: 'usage',
    model: 'm',
    input,
    output,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: 0,
    cost_basis: 'profile',
  } as const;
}
