import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../../../test/upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../../test/upstream/messages-server.ts';
import { scratchFolder, twoBranches } from '../../../test/fixtures/scratch-repository.ts';
import type { EventBody } from '../../events/collab-event.ts';
import { anthropicProvider } from '../../providers/anthropic/anthropic_client.ts';
import type { LeadTurnRequest, LeadWork } from '../../providers/contract/contract.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { openModelLead } from './model-lead.ts';

const reading: LeadWork = { kind: 'draft', phase: 'requirements', round: 1, access: 'read', folder: null };

test('a turn reads the repository with parallel calls and answers', async () => {
  const { repository } = twoBranches();
  repository.write('.env', 'CANARY');
  const { turn, upstream } = await leadWorld([
    {
      thinking: 'Where is it?',
      text: 'I look.',
      tools: [
        { name: 'Read', input: { file_path: 'a.txt' } },
        { name: 'GitLog', input: {} },
        { name: 'Read', input: { file_path: '.env' } },
        { name: 'Read', input: { file_path: '../outside' } },
        { name: 'Write', input: { file_path: 'a.txt' } },
      ],
    },
    { text: 'It says TWO.' },
  ]);
  const { result, events } = await turn({ work: { ...reading, folder: repository.root } });
  expect(result).toMatchObject({
    kind: 'answered',
    text: 'It says TWO.',
    stopReason: 'end_turn',
    usage: { input: 240, output: 68, cache_read: 4000, cache_write_5m: 2000, cost: 0.01312 },
  });
  const sent = upstream.requests[1]?.lastInput ?? '';
  const said = [
    JSON.stringify('1\tone\n2\tTWO'),
    'A: topic',
    '.env is not shown to agents',
    '../outside leads out of the repository',
  ];
  expect(said.filter((text) => !sent.includes(text))).toEqual([]);
  expect(sent).toMatch(
    /There is no tool .*Write.* There are Read, LS, Grep, Glob, GitDiff, GitLog, GitShow\./,
  );
  expect(sent).not.toContain('CANARY');
  expect(events.flatMap((event) => (event.type === 'thinking.delta' ? [event.text] : [])).join('')).toBe(
    'Where is it?',
  );
  expect(events.filter(({ type }) => type === 'tool.call')).toHaveLength(5);
  expect(events.filter(({ type }) => type === 'tool.result')).toHaveLength(5);
});

test('without a folder it has no tools', async () => {
  const { turn, upstream } = await leadWorld([{ text: 'Well.' }]);
  expect((await turn()).result).toMatchObject({ kind: 'answered', text: 'Well.' });
  expect(upstream.requests[0]?.body).not.toHaveProperty('tools');
});

test('a turn that would edit names leads that can, and calls no model', async () => {
  const { turn, lead, upstream } = await leadWorld([{ text: 'no' }]);
  const { result } = await turn({
    work: { ...reading, kind: 'implement', access: 'edit', folder: '/nowhere' },
  });
  expect(lead.edits).toBe(false);
  expect(result).toEqual({
    kind: 'unavailable',
    code: 'options',
    message: 'anthropic changes no files: implementing needs the lead claude_code',
    hint: 'Choose it: --lead claude_code',
  });
  expect(upstream.requests).toHaveLength(0);
});

test('a session continues over turns, and with a new agent over the same folder', async () => {
  const first = await leadWorld([{ text: 'one', thinking: 'hm' }, { text: 'two' }]);
  const begun = await first.turn({ prompt: 'first' });
  expect(begun.bound).toHaveLength(1);
  const sessionId = begun.bound[0] ?? '';
  expect(begun.events[0]).toEqual({
    type: 'session.bound',
    provider_session_id: sessionId,
    resumable: true,
  });
  await first.turn({ prompt: 'second', sessionId });

  const again = await leadWorld([{ text: 'three' }], { stateFolder: first.stateFolder });
  await again.turn({ prompt: 'third', sessionId });
  expect(again.upstream.requests[0]?.body).toMatchObject({
    messages: [
      { role: 'user', content: [{ text: 'first' }] },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }, { text: 'one' }] },
      { role: 'user', content: [{ text: 'second' }] },
      { role: 'assistant', content: [{ text: 'two' }] },
      { role: 'user', content: [{ text: 'third' }] },
    ],
  });
});

test('sessions are private files', async () => {
  const { turn, stateFolder } = await leadWorld([{ text: 'one' }]);
  await turn();
  const folder = join(stateFolder, 'anthropic', 'sessions');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test('a missing session is a cut, and the next one is fresh', async () => {
  const { turn, upstream } = await leadWorld([{ text: 'one' }]);
  expect((await turn({ sessionId: 'gone' })).result).toEqual({
    kind: 'cut',
    message: 'the conversation is gone',
    sessionId: null,
    uncounted: false,
  });
  expect(upstream.requests).toHaveLength(0);
});

test('a stream that breaks off is a cut of its session, and its text is not an answer', async () => {
  const { turn, lead } = await leadWorld([{ text: 'a long answer', cut: true }]);
  const { result, bound } = await turn();
  expect(result).toMatchObject({ kind: 'cut', sessionId: bound[0], uncounted: false });
  expect(await lead.harvest(bound[0] ?? '', 'lead_1/1')).toEqual({ kind: 'interrupted' });
});

test('a finished call is found again; another or a failed one is not mistaken for it', async () => {
  const { turn, lead } = await leadWorld([{ text: 'one' }, { status: 529 }]);
  const { bound } = await turn({ callId: 'lead_design/1/1' });
  const sessionId = bound[0] ?? '';
  expect(await lead.harvest(sessionId, 'lead_design/1')).toMatchObject({ kind: 'answered', text: 'one' });
  expect(await lead.harvest(sessionId, 'lead_design/1/1')).toMatchObject({ kind: 'answered', text: 'one' });
  expect(await lead.harvest(sessionId, 'lead_design/11')).toEqual({ kind: 'not_sent' });
  expect(await lead.harvest('nothing', 'lead_design/1')).toEqual({ kind: 'not_sent' });
  const failed = await turn({ callId: 'lead_design/2/1', sessionId });
  expect(failed.result).toMatchObject({ kind: 'overloaded', sessionId });
  expect(await lead.harvest(sessionId, 'lead_design/2')).toEqual({ kind: 'interrupted' });
});

test('a prompt that is repeated after an overload is in the history once', async () => {
  const { turn, upstream } = await leadWorld([{ status: 529 }, { text: 'one' }]);
  const { bound } = await turn({ prompt: 'first' });
  await turn({ prompt: 'first', sessionId: bound[0] ?? '' });
  expect(upstream.requests[1]?.body).toMatchObject({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'first' }] }],
  });
});

test('a prompt that was too long does not stay in the conversation', async () => {
  const { turn, lead, upstream } = await leadWorld([{ text: 'one' }, { status: 413 }, { text: 'three' }]);
  const { bound } = await turn({ prompt: 'first' });
  const sessionId = bound[0] ?? '';
  const long = await turn({ prompt: 'endless', sessionId, callId: 'lead_2/1/1' });
  expect(long.result).toMatchObject({ kind: 'timed_out', limit: 'context', sessionId });
  expect(await lead.harvest(sessionId, 'lead_2/1')).toEqual({ kind: 'not_sent' });
  await turn({ prompt: 'short', sessionId });
  expect(upstream.requests[2]?.text).not.toContain('endless');
});

test('a stream that stalls is ended by our limit, and its connection is closed', async () => {
  const { turn, upstream } = await leadWorld([{ text: 'a long answer', hang: 'stream' }], {
    limits: { ...limits, idleMs: 100 },
  });
  const { result, events } = await turn();
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'idle', message: 'the model fell silent' });
  expect(
    events.map(({ type }) => type).filter((type) => type === 'text.start' || type === 'text.end'),
  ).toEqual(['text.start', 'text.end']);
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

test('X001-10.4 the limits of a turn win over those that the lead was opened with', async () => {
  const { turn } = await leadWorld([{ text: 'a long answer', hang: 'stream' }]);
  const { result } = await turn({ limits: { ...limits, idleMs: 100 } });
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
});

test('an API that sends nothing at all is ended at the limit for the first byte', async () => {
  const { turn, upstream } = await leadWorld([{ hang: 'headers' }], {
    limits: { ...limits, firstByteMs: 100 },
  });
  expect((await turn()).result).toMatchObject({ kind: 'timed_out', limit: 'first_byte' });
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

test('an aborted turn closes its connection, and is harvested as interrupted', async () => {
  const { turn, lead, upstream } = await leadWorld([{ text: 'a long answer', hang: 'stream' }]);
  const controller = new AbortController();
  const bound: string[] = [];
  const ended = turn({ signal: controller.signal, bind: async (sessionId) => void bound.push(sessionId) });
  await upstream.untilRequests(1);
  controller.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
  await expect.poll(() => upstream.openTurns()).toBe(0);
  expect(await lead.harvest(bound[0] ?? '', 'lead_1/1')).toEqual({ kind: 'interrupted' });
});

test('a call that was lost between a tool and its result is completed before the next prompt', async () => {
  const world = await leadWorld([
    { tools: [{ name: 'Read', input: {}, id: 'toolu_a' }] },
    { hang: 'headers' },
  ]);
  const controller = new AbortController();
  const { repository } = twoBranches();
  const bound: string[] = [];
  const lost = world.turn({
    signal: controller.signal,
    work: { ...reading, folder: repository.root },
    emit: (event) => {
      if (event.type === 'tool.call') controller.abort(new Error('killed'));
    },
    bind: async (sessionId) => void bound.push(sessionId),
  });
  await expect(lost).rejects.toThrow('killed');
  const again = await leadWorld([{ text: 'mended' }], { stateFolder: world.stateFolder });
  const { result } = await again.turn({ prompt: 'The last turn was cut.', sessionId: bound[0] ?? '' });
  expect(result).toMatchObject({ kind: 'answered', text: 'mended' });
  expect(again.upstream.requests[0]?.body).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_a' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', is_error: true },
          { type: 'text', text: 'The last turn was cut.' },
        ],
      },
    ],
  });
});

const limits: TurnLimits = { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 60_000 };

interface World {
  readonly limits?: TurnLimits;
  readonly stateFolder?: string;
}

async function leadWorld(steps: readonly MessagesStep[], world: World = {}) {
  const upstream = await startMessagesUpstream(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  const stateFolder = world.stateFolder ?? scratchFolder();
  const lead = await openModelLead(anthropicProvider, {
    env: { PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'key-for-tests' },
    cwd: stateFolder,
    settings: { 'anthropic.base_url': upstream.url },
    signal: new AbortController().signal,
    runId: 'r',
    model: null,
    stateFolder,
    limits: world.limits ?? limits,
    instructions: 'You lead.',
  });
  const turn = async (own: Partial<LeadTurnRequest> = {}) => {
    const events: EventBody[] = [];
    const bound: string[] = [];
    const result = await lead.turn({
      prompt: 'go',
      callId: 'lead_1/1/1',
      sessionId: null,
      signal: new AbortController().signal,
      emit: (event) => void events.push(event),
      bind: async (sessionId) => void bound.push(sessionId),
      work: reading,
      ...own,
    });
    return { result, events, bound };
  };
  return { lead, turn, upstream, stateFolder };
}
