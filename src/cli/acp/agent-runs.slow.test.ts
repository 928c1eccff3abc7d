/** The agent as the SDK's client meets it, in this process. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { advises, issue, review, scriptOf } from '../../../test/contract/workflow/workflow-script.ts';
import { createDesk } from './editor.test-helper.ts';
import { finds, refusal, runsOf, faulty, allows, fixUntilGate } from './agent.test-helper.ts';

test('it says what it can, and knows no session that it did not open', async () => {
  const desk = createDesk(finds);
  const editor = await desk.connect();
  expect(await editor.agent.request('initialize', { protocolVersion: 99 })).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'collab' },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {} },
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
    },
  });
  const unknown = { sessionId: 'nowhere', cwd: desk.session.cwd, mcpServers: [] };
  for (const method of ['session/load', 'session/resume'] as const) {
    expect(await refusal(editor.agent.request(method, unknown))).toMatchObject({ code: -32002 });
  }
  for (const sessionId of ['nowhere', '../sessions/x', '', 'a/b', '..', 'x'.repeat(200)]) {
    expect(await refusal(editor.prompt(sessionId, 'why?'))).toMatchObject({ code: -32002 });
    expect(await refusal(editor.agent.request('session/load', { ...unknown, sessionId }))).toMatchObject({
      code: -32002,
    });
  }
  expect(
    await refusal(editor.agent.request('session/set_mode', { sessionId: 'x', modeId: 'y' })),
  ).toMatchObject({
    code: -32601,
  });
  expect(await refusal(editor.agent.request('no/such', {}))).toMatchObject({ code: -32601 });
  await editor.agent.notify('session/cancel', { sessionId: 'nowhere' });
  await editor.agent.notify('no/such', {});
  expect(runsOf(desk)).toEqual([]);
});

test('a folder has to be an absolute path of a folder', async () => {
  const desk = createDesk(finds);
  const editor = await desk.connect();
  const { root } = desk.repository;
  for (const [cwd, why] of [
    ['src', 'is not absolute'],
    [join(root, 'none'), 'there is no folder'],
    [join(root, 'README.md'), 'is not a folder'],
    [join(root, 'README.md/x'), 'there is no folder'],
    [`${root}\0`, 'there is no folder'],
  ]) {
    const { code, message } = await refusal(
      editor.agent.request('session/new', { cwd: cwd ?? '', mcpServers: [] }),
    );
    expect([code, message]).toEqual([-32602, expect.stringContaining(why ?? '')]);
  }
  for (const params of [{}, { cwd: 7 }, { cwd: root, mcpServers: 'x' }, null, []]) {
    expect(await refusal(editor.agent.request('session/new', params))).toMatchObject({
      code: -32602,
    });
  }
});

test('the commands are announced after the session is known', async () => {
  const desk = createDesk(finds);
  const editor = await desk.connect();
  await editor.open();
  await editor.seen(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
  const [announced] = editor.of('available_commands_update');
  expect(announced?.availableCommands.map(({ name }) => name)).toEqual([
    'review',
    'consult',
    'run',
    'fix',
    'continue',
    'cancel',
    'help',
  ]);
  const session = await editor.open();
  await editor.prompt(session, '/help');
  for (const { name } of announced?.availableCommands ?? []) expect(editor.said()).toContain(`\`/${name}\``);
});

test('a wrong prompt is answered in the conversation and starts nothing', async () => {
  const desk = createDesk(finds);
  faulty(desk);
  const editor = await desk.connect(allows);
  const session = await editor.open();
  for (const [prompt, why] of [
    ['/reviw', 'Did you mean /review?'],
    ['/review --no-such-flag', "unknown option '--no-such-flag'"],
    ['/review "open', 'A quote is opened and not closed'],
    ['/review --plan', '--plan is not for an editor'],
    ['/review --show-prompt', '--show-prompt is not for an editor'],
    ['/review --format json', '--format is not for an editor'],
    ['/review --report json=README.md', '--report is not for an editor'],
    ['/review --help', 'help is not shown in an editor'],
    ['/review no-such-file.diff', 'no-such-file.diff'],
    ['/review -', 'standard input'],
    ['/run', '/run has no task'],
    ['/run do it --yes', '--yes is not for the calling agent'],
    ['/run do it --apply', '--apply is not for an editor'],
    ['/fix F1 --yes', '--yes is not for the calling agent'],
    ['/fix F1 --result x.json', '--result is not for an editor'],
    ['/consult', '/consult needs a phase'],
    ['/consult desing why?', '/consult needs a phase'],
    ['/consult design', '/consult has no question'],
    ['/continue', 'this session has started no run'],
    ['/cancel', 'this session has started no run'],
    ['/cancel one two', '"two" is one word too many'],
    ['/continue nowhere', 'There is no run'],
    ['', 'the prompt is empty'],
    ['   ', 'the prompt is empty'],
  ]) {
    const before = editor.said().length;
    expect(await editor.prompt(session, prompt ?? '')).toBe('end_turn');
    expect(editor.said().slice(before)).toContain(why);
  }
  expect(await editor.prompt(session, [{ type: 'image', data: 'AA==', mimeType: 'image/png' }])).toBe(
    'end_turn',
  );
  expect(editor.said()).toContain('collab cannot read an image');
  expect(
    await refusal(editor.agent.request('session/prompt', { sessionId: session, prompt: 'x' })),
  ).toMatchObject({
    code: -32602,
  });
  expect(runsOf(desk)).toEqual([]);
  expect(desk.errors()).toBe('');
});

test('a review shows its plan, its findings at their lines from a folder below the top, and its report', async () => {
  const desk = createDesk(finds);
  faulty(desk);
  const editor = await desk.connect();
  const { sessionId } = await editor.agent.request('session/new', {
    cwd: join(desk.repository.root, 'src'),
    mcpServers: [],
  });
  expect(await editor.prompt(sessionId, '/review --effort quick --lead none')).toBe('end_turn');
  const [finding] = editor.of('tool_call');
  expect(finding).toMatchObject({
    title: 'F1 Critical: Wrong',
    status: 'completed',
    locations: [{ path: join(desk.repository.root, 'src/one.js'), line: 1 }],
  });
  expect(
    editor
      .of('plan')
      .at(-1)
      ?.entries.map(({ status }) => status),
  ).toEqual(['completed', 'completed']);
  expect(editor.said()).toMatch(/^# Code review: findings/);
  // What the advisor wrote is a thought, with its sections in words.
  const thoughts = editor.of('agent_thought_chunk').map(({ content }) => Object(content).text);
  expect(thoughts.join('')).toContain('**Rehearsal**');
  expect(thoughts.join('')).toContain('## Issues');
  expect(thoughts.join('')).not.toContain('[RESPONSE:REVIEW]');
});

test('a gate opens by its option alone, also when it is asked again', async () => {
  const answers = [null, 'apply'];
  const { desk, editor, session } = await fixUntilGate(() => ({
    outcome: { outcome: 'selected', optionId: answers.shift() ?? 'nothing' },
  }));
  expect(await editor.prompt(session, '/continue')).toBe('end_turn');
  expect(readFileSync(join(desk.repository.root, 'src/one.js'), 'utf8')).toBe('export const one = 1;\n');
});

test('words of agents and files reach the editor without control characters', async () => {
  const hostile = review(issue('Critical', '\u001B[2Jclear\u202E', 'export const one = 0;'));
  const desk = createDesk(scriptOf(advises({ tag: '[REQUEST:REVIEW]' }, hostile)));
  faulty(desk);
  const editor = await desk.connect();
  const session = await editor.open();
  await editor.prompt(session, '/review --effort quick --lead none');
  await editor.prompt(session, '/review "no\u001B[2Jfile.diff"');
  expect(editor.of('tool_call')).toHaveLength(1);
  expect(JSON.stringify(editor.updates)).not.toMatch(/\\u001b|\u202E/u);
  expect(existsSync(join(desk.repository.root, '.collab'))).toBe(true);
});
