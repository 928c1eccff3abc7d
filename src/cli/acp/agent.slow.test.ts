/** The agent as the SDK's client meets it, in this process. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { wholeAnswer } from '../../../test/fixtures/review-answers.ts';
import { advises, scriptOf } from '../../../test/contract/workflow/workflow-script.ts';
import { readResult } from '../../runs/folder/result-file.ts';
import { createDesk, type Person } from './editor.test-helper.ts';
import { finds, refusal, runsOf, faulty, fixUntilGate, fixes } from './agent.test-helper.ts';

test('a file that the editor names narrows a review', async () => {
  const desk = createDesk(finds);
  faulty(desk);
  desk.repository.write('src/two.js', 'export const two = 2;\n');
  const editor = await desk.connect();
  const session = await editor.open();
  const uri = pathToFileURL(join(desk.repository.root, 'src/one.js')).href;
  await editor.prompt(session, [
    { type: 'text', text: '/review ' },
    { type: 'resource_link', name: 'one.js', uri },
    { type: 'text', text: ' --effort quick --lead none' },
  ]);
  const [run] = runsOf(desk);
  const result = readResult(run?.path ?? '');
  const files = result?.schema === 'collab.review/v1' ? result.coverage.files : [];
  expect(files.map(({ path, status }) => `${status} ${path}`)).toEqual([
    'reviewed src/one.js',
    'skipped src/two.js',
  ]);
});

test('other text is a question to the advisor, and the next one continues that conversation', async () => {
  const desk = createDesk(scriptOf());
  const editor = await desk.connect();
  const session = await editor.open();
  const uri = pathToFileURL(join(desk.repository.root, 'README.md')).href;
  await editor.prompt(session, [
    { type: 'text', text: 'What of ' },
    { type: 'resource', resource: { uri, text: '# unsaved\n' } },
    { type: 'text', text: '?' },
  ]);
  expect(editor.said()).toContain('Export `one` by name.');
  await editor.prompt(session, '/etc/hosts is a file: why?');
  const inputs = runsOf(desk).map(({ path }) => JSON.parse(readFileSync(join(path, 'input.json'), 'utf8')));
  expect(inputs.map(({ kind, phase }) => [kind, phase])).toEqual([
    ['consult', 'implementation'],
    ['consult', 'implementation'],
  ]);
  expect(inputs[1]?.brief).toBe('What of README.md?\n\nREADME.md:\n\n```\n# unsaved\n```');
  expect(inputs[0]).toMatchObject({
    brief: '/etc/hosts is a file: why?',
    conversation: inputs[1]?.conversation,
  });
});

test('one prompt is at work in a session, and eight in a server', async () => {
  const slow = scriptOf(
    advises({ tag: '[REQUEST:REVIEW]' }, wholeAnswer, { delay_ms: 600_000, repeat: 'forever' }),
  );
  const desk = createDesk(slow);
  faulty(desk);
  const editor = await desk.connect();
  const sessions = await Promise.all(Array.from({ length: 9 }, () => editor.open()));
  const words = '/review --effort quick --lead none';
  const atWork = sessions.slice(0, 8).map((session) => editor.prompt(session, words));
  const again = await refusal(editor.prompt(sessions[0] ?? '', words));
  expect(again).toEqual({
    code: -32600,
    message: expect.stringContaining('a prompt of this session is at work'),
  });
  const ninth = await refusal(editor.prompt(sessions[8] ?? '', words));
  expect(ninth).toEqual({ code: -32600, message: expect.stringContaining('8 prompts are at work') });
  const load = { sessionId: sessions[0] ?? '', cwd: desk.session.cwd, mcpServers: [] };
  expect(await refusal(editor.agent.request('session/load', load))).toMatchObject({ code: -32600 });
  for (const sessionId of sessions.slice(0, 7)) await editor.agent.notify('session/cancel', { sessionId });
  await editor.agent.request('session/close', { sessionId: sessions[7] ?? '' });
  expect(await Promise.all(atWork)).toEqual(Array.from({ length: 8 }, () => 'cancelled'));
  for (const { path } of runsOf(desk)) {
    const result = readResult(path);
    expect([result?.state, result?.outcome]).toEqual(['ended', 'incomplete']);
  }
  expect(await refusal(editor.prompt(sessions[7] ?? '', '/help'))).toMatchObject({ code: -32002 });
  expect(await editor.prompt(sessions[8] ?? '', '/help')).toBe('end_turn');
});

test('an editor that closes its end cancels nothing', async () => {
  const slow = scriptOf(advises({ tag: '[REQUEST:REVIEW]' }, wholeAnswer, { delay_ms: 600_000 }));
  const desk = createDesk(slow);
  faulty(desk);
  const editor = await desk.connect();
  const session = await editor.open();
  const ended = editor.prompt(session, '/review --effort quick --lead none').catch(() => 'left');
  await editor.seen(
    (update) =>
      update.sessionUpdate === 'plan' && update.entries.some(({ status }) => status === 'in_progress'),
  );
  await editor.leave();
  expect(await ended).toBe('left');
  const [run] = runsOf(desk);
  expect(readResult(run?.path ?? '')?.state).toBe('running');

  const later = await desk.connect();
  await later.agent.request('session/load', { sessionId: session, cwd: desk.session.cwd, mcpServers: [] });
  expect(later.said()).toContain('is still at work');
  expect(later.of('user_message_chunk').map(({ content }) => Object(content).text)).toEqual([
    '/review --effort quick --lead none',
  ]);
  const followed = later.prompt(session, '/continue');
  await later.agent.notify('session/cancel', { sessionId: session });
  expect(await followed).toBe('cancelled');
  expect(readResult(run?.path ?? '')).toMatchObject({ state: 'ended', outcome: 'incomplete' });
});

test.each<[string, Person]>([
  ['closes the dialog', () => ({ outcome: { outcome: 'cancelled' } })],
  ['chooses what was not offered', () => ({ outcome: { outcome: 'selected', optionId: 'allow_always' } })],
  ['chooses a word of the run', () => ({ outcome: { outcome: 'selected', optionId: 'APPLY' } })],
  ['sends no choice', () => ({ outcome: { outcome: 'selected' } })],
  ['sends nonsense', () => ({ outcome: 'apply' })],
  ['sends nothing', () => null],
  [
    'fails',
    () => {
      throw new Error('apply');
    },
  ],
])('a gate stays closed if the editor %s', async (_how, person) => {
  const { desk, editor, session } = await fixUntilGate(person);
  expect(editor.said()).toContain('waits for your decision');
  expect(readFileSync(join(desk.repository.root, 'src/one.js'), 'utf8')).toBe('export const one = 0;\n');
  // Words open no gate, either.
  for (const words of ['apply', 'approve', 'yes, apply it', '/continue']) {
    expect(await editor.prompt(session, words)).toBe('end_turn');
  }
  expect(readFileSync(join(desk.repository.root, 'src/one.js'), 'utf8')).toBe('export const one = 0;\n');
  expect(await editor.prompt(session, '/cancel')).toBe('end_turn');
  expect(readResult(runsOf(desk)[0]?.path ?? '')?.state).toBe('ended');
});

test('a run in which a lead works starts only if the person allows it', async () => {
  const desk = createDesk(fixes);
  for (const person of [
    undefined,
    () => ({ outcome: { outcome: 'selected', optionId: 'leave' } }),
  ] as const) {
    const editor = await desk.connect(person);
    const session = await editor.open();
    expect(await editor.prompt(session, '/run write it')).toBe('end_turn');
    expect(editor.said()).toContain('Nothing was started');
  }
  expect(runsOf(desk)).toEqual([]);
});

test('at the gate of a phase, the person approves, sends back with words, or stops', async () => {
  const desk = createDesk(scriptOf());
  const choices = ['start', 'revise', 'approve', 'stop'];
  const asked: string[] = [];
  const editor = await desk.connect(({ options, toolCall }) => {
    asked.push(`${toolCall.title}: ${options.map(({ optionId }) => optionId).join(' ')}`);
    return { outcome: { outcome: 'selected', optionId: choices.shift() ?? 'none' } };
  });
  const session = await editor.open();
  expect(await editor.prompt(session, "/run don't stop at one --phases requirements,design")).toBe(
    'end_turn',
  );
  // The advisor's questions come first: they take text.
  expect(editor.said()).toContain('Which version?');
  expect(await editor.prompt(session, 'Version 3, for everyone.')).toBe('end_turn');
  expect(editor.said()).toContain('names the changes');
  expect(await editor.prompt(session, 'Name the file.')).toBe('end_turn');
  const plan = editor.of('plan').at(-1)?.entries ?? [];
  expect(plan.map(({ content }) => content)).toEqual(['Requirements', 'Design']);
  expect(plan.every(({ status }) => status === 'completed')).toBe(true);
  expect(asked).toEqual([
    'Let a lead work on the task?: start leave',
    'Continue the run?: approve revise stop',
    'Continue the run?: approve revise stop',
  ]);
  const [run] = runsOf(desk);
  expect(readFileSync(join(run?.path ?? '', 'journal.jsonl'), 'utf8')).toContain('revise: Name the file.');
  expect(readFileSync(join(run?.path ?? '', 'input.json'), 'utf8')).toContain("don't stop at one");
});

test('a session that is loaded shows its prompts, refusals, reports and what is left of removed runs', async () => {
  const desk = createDesk(finds);
  faulty(desk);
  const first = await desk.connect();
  const session = await first.open();
  await first.prompt(session, '/review --effort quick --lead none');
  await first.prompt(session, '/reviw');
  await first.prompt(session, 'my key is AKIAIOSFODNN7EXAMPLE and ghp_abcdefghijklmnopqrstuvwxyz0123456789');
  const shown = first.updates.filter(({ sessionUpdate }) => sessionUpdate !== 'available_commands_update');
  await first.leave();

  const second = await desk.connect();
  const params = { sessionId: session, cwd: desk.session.cwd, mcpServers: [] };
  expect(
    await refusal(second.agent.request('session/load', { ...params, cwd: join(desk.session.cwd, 'src') })),
  ).toEqual({
    code: -32602,
    message: expect.stringContaining('the session belongs to'),
  });
  await second.agent.request('session/load', params);
  const words = second.of('user_message_chunk').map(({ content }) => String(Object(content).text));
  expect(words.slice(0, 2)).toEqual(['/review --effort quick --lead none', '/reviw']);
  expect(words[2]).not.toContain('ghp_abcdefghijklmnopqrstuvwxyz0123456789');
  const replayed = second.updates.filter(
    ({ sessionUpdate }) => !['available_commands_update', 'user_message_chunk'].includes(sessionUpdate),
  );
  expect(replayed).toEqual(shown);

  await second.agent.request('session/resume', params);
  expect(await second.prompt(session, '/continue')).toBe('end_turn');
  for (const { path } of runsOf(desk)) writeFileSync(join(path, 'input.json'), '{');
  const third = await desk.connect();
  await third.agent.request('session/load', params);
  expect(third.said()).toContain('there is no command /reviw');
  expect(desk.errors()).toBe('');
});

test('sessions with prompts are listed, the last changed first, by folder and in pages', async () => {
  const desk = createDesk(finds);
  const editor = await desk.connect();
  const other = join(desk.repository.root, 'src');
  mkdirSync(other);
  await editor.open();
  expect(await editor.agent.request('session/list', {})).toEqual({ sessions: [], nextCursor: null });
  const ids: string[] = [];
  for (let number = 0; number < 52; number += 1) {
    const cwd = number === 0 ? other : desk.session.cwd;
    const { sessionId } = await editor.agent.request('session/new', { cwd, mcpServers: [] });
    await editor.prompt(sessionId, `/nothing ${number}`);
    ids.push(sessionId);
  }
  const first = await editor.agent.request('session/list', {});
  const second = await editor.agent.request('session/list', { cursor: first.nextCursor ?? '' });
  expect([first.sessions.length, second.sessions.length, second.nextCursor]).toEqual([50, 2, null]);
  const listed = [...first.sessions, ...second.sessions];
  expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(new Set(ids));
  const times = listed.map(({ updatedAt }) => updatedAt ?? '');
  expect(times).toEqual(times.toSorted().toReversed());
  const there = await editor.agent.request('session/list', { cwd: other });
  expect(there.sessions).toEqual([
    { sessionId: ids[0], cwd: other, title: '/nothing 0', updatedAt: expect.any(String) },
  ]);
  expect(await refusal(editor.agent.request('session/list', { cursor: 'x' }))).toMatchObject({
    code: -32602,
  });
});

test('a line that a kill cut off hides no other', async () => {
  const desk = createDesk(finds);
  const editor = await desk.connect();
  const session = await editor.open();
  await editor.prompt(session, '/one');
  const folder = join(desk.repository.env['HOME'] ?? '', '.local/state/collab/sessions');
  const [file = ''] = readdirSync(folder).map((name) => join(folder, name));
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"kind":"prompt","at":"2026-`);
  await editor.prompt(session, '/two');
  const later = await desk.connect();
  await later.agent.request('session/load', { sessionId: session, cwd: desk.session.cwd, mcpServers: [] });
  expect(later.of('user_message_chunk').map(({ content }) => Object(content).text)).toEqual(['/one', '/two']);
});
