/** A conversation without a terminal: piped lines, and JSON for programs; the real SDK over a scripted upstream. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { fieldOf } from '../../upstream/scripted-server.ts';
import { test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';

test('answers piped lines, runs commands, and continues the conversation later', async ({
  place,
  expect,
}) => {
  const { upstream, chat } = await chatWorld(place, [{ text: 'It is a shop.' }, { text: 'It says one.' }]);
  place.write('a.txt', 'one\n');
  const first = await chat([], 'What is this?\n/read a.txt\n/nonsense\n');
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('There is no command /nonsense.') });
  expect(first.stdout).toContain('Claude: model=claude-scripted');
  expect(first.stdout).toContain('It is a shop.');
  expect(first.stdout).toContain('Reading a.txt');
  expect(first.stdout).toContain('1\tone');
  expect(first.stderr).toContain('its tools work in your own files');
  const second = await chat(['--resume'], 'What does it say?\n/history\n');
  expect(second.stdout).toContain('It says one.');
  expect(second.stdout).toContain(
    '#1 you: What is this?\n#2 lead: It is a shop.\n#3 you: I ran /read a.txt.',
  );
  const sent = JSON.stringify(upstream.requests.at(-1)?.body);
  expect(['What is this?', 'It is a shop.', '1\\tone'].filter((text) => !sent.includes(text))).toEqual([]);
  const [id = ''] = readdirSync(conversations(place));
  const folder = join(conversations(place), id);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'history.json')).mode & 0o777).toBe(0o600);
});

test('prints every event as a line of JSON, and runs nothing without permission', async ({
  place,
  expect,
}) => {
  const write = { name: 'Write', input: { file_path: 'x.txt', content: 'new\n' } };
  const { chat } = await chatWorld(place, [{ text: 'I write.', tools: [write] }, { text: 'I may not.' }]);
  const { code, stdout } = await chat(['--json'], `${JSON.stringify({ text: 'Write\nx.txt' })}\n/branch\n`);
  expect(code).toBe(0);
  const lines = recordsIn(stdout);
  expect(lines[0]).toMatchObject({
    type: 'chat.opened',
    resumed: false,
    lead: 'anthropic',
    model: 'claude-scripted',
  });
  expect(lines.filter(({ type }) => type === 'permission')).toMatchObject([
    { decision: 'deny', by: 'policy' },
  ]);
  expect(lines.filter(({ type }) => type === 'text.end')).toMatchObject([
    { text: 'I write.' },
    { text: 'I may not.' },
  ]);
  expect(lines.filter(({ type }) => type === 'chat.done')).toMatchObject([
    { outcome: 'answered' },
    { outcome: 'done' },
  ]);
  expect(lines.filter(({ type }) => type === 'chat.output')).toMatchObject([{ command: 'branch' }]);
  expect(place.names()).not.toContain('x.txt');
});

test('another text in place of the first starts a branch, and both can be continued', async ({
  place,
  expect,
}) => {
  const { upstream, chat } = await chatWorld(place, [
    { text: 'to one' },
    { text: 'to two' },
    { text: 'to three' },
  ]);
  const { code, stdout } = await chat([], 'one\n/resend #1 two\n/branch 1\nthree\n/branch\n');
  expect(code).toBe(0);
  expect(stdout).toMatch(/\* 1 .* 2 messages {2}one\n {2}2 .* 2 messages {2}two\n/);
  expect(stdout).toMatch(/ {2}1 .* 2 messages {2}two\n\* 2 .* 4 messages {2}three\n/);
  const sent = upstream.requests.map(({ body }) => JSON.stringify(body));
  expect(sent[1]).not.toContain('to one');
  expect(sent[2]).toContain('to one');
  expect(sent[2]).not.toContain('to two');
});

test('003 a corrupt history is refused with the place, and the state before it is kept', async ({
  place,
  expect,
}) => {
  const { chat } = await chatWorld(place, [{ text: 'well' }]);
  await chat([], 'one\ntwo\n');
  const [id = ''] = readdirSync(conversations(place));
  const file = join(conversations(place), id, 'history.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.replace(/"current_node": "[^"]+"/, '"current_node": "msg_gone"'));
  const refused = await chat(['--resume'], 'three\n');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('/current_node: there is no message msg_gone');
  const remedy = /cp '([^']+)' '([^']+)'/.exec(refused.stderr);
  writeFileSync(remedy?.[2] ?? '', readFileSync(remedy?.[1] ?? '', 'utf8'));
  expect(await chat(['--resume'], '/history\n')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('#1 you: one'),
  });
});

test('a failed answer gives the reason, ends with 4, and can be requested again', async ({
  place,
  expect,
}) => {
  const { chat } = await chatWorld(place, [{ status: 401 }, { text: 'now' }]);
  const failed = await chat([], 'one\n');
  expect(failed).toMatchObject({ code: 4, stderr: expect.stringContaining('no answer: ') });
  expect((await chat(['--resume'], '/resend\n')).stdout).toContain('now');
});

function conversations({ folder }: Place): string {
  return join(folder, '.collab/conversations');
}

test('the lead writes in the language that was asked for, otherwise in the language of the user', async ({
  place,
  expect,
}) => {
  const { upstream, chat } = await chatWorld(place, [{ text: 'はい。' }]);
  await chat(['--language', 'ja'], 'hello\n');
  await chat([], 'hello\n');
  const systems = upstream.requests.map(({ body }) => JSON.stringify(fieldOf(body, 'system')));
  expect(systems.map((text) => /Write in the language (\w+)\./.exec(text)?.[1] ?? null)).toEqual([
    'ja',
    null,
  ]);
});

async function chatWorld(place: Place, steps: readonly MessagesStep[]) {
  const upstream = await startMessagesUpstream(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  place.write('collab.config.yaml', `providers:\n  anthropic: { base_url: "${upstream.url}" }\n`);
  const chat = (args: readonly string[], input: string) => {
    const lead = args.includes('--resume') ? [] : ['--lead', 'anthropic:claude-scripted'];
    return place.collab(['chat', ...lead, '--ascii', '--config', 'collab.config.yaml', ...args], {
      input,
      env: { ANTHROPIC_API_KEY: 'sk-scripted' },
    });
  };
  return { upstream, chat };
}
