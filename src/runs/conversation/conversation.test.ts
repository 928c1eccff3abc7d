import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleSecrets } from '../../../test/fixtures/sample-secrets.ts';
import { toolOf } from '../../tools/tool.test-helper.ts';
import { createAgentWorld, says, unstopped, type Reply } from './conversation.test-helper.ts';

const token = sampleSecrets.find(({ rule }) => rule === 'github_token')?.secret ?? '';
const covered = '*'.repeat(token.length);

test('a typed secret reaches neither the lead nor the disk', async () => {
  const { requests, folder, open } = createAgentWorld(says('I see.'));
  const conversation = await open();
  await conversation.say(`My token is ${token}.`, unstopped);
  expect(requests[0]?.prompt).toBe(`My token is ${covered}.`);
  expect(onDisk(folder.path)).not.toContain(token);
});

test('the output of a command is added once under the id of its message, as foreign text', async () => {
  const { open } = createAgentWorld();
  const parameters = { type: 'object', properties: { path: { type: 'string' } } } as const;
  const show = toolOf('Show', { parameters, run: async () => ({ content: 'shown', isError: false }) });
  const conversation = await open({ tools: [show] });
  for (const typed of ['/Show a', '/Show b']) await conversation.useTool(typed, unstopped, 'message-1');
  const { messages } = conversation.history();
  expect(Object.values(messages).filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(messages['message-1']).toMatchObject({
    role: 'user',
    content: expect.stringMatching(/\/Show a[^]*shown/),
  });
});

test('a secret in the arguments or the result of a call is masked everywhere', async () => {
  const heard: unknown[] = [];
  const seen: unknown[] = [];
  const calls: Reply = async (request) => {
    const call = { id: 'call-1', name: 'Show', args: { path: token } };
    heard.push(await request.tools?.call(call, request.signal));
    return `It is ${token}.`;
  };
  const show = toolOf('Show', {
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    async run(args, { tellOutput }) {
      seen.push(args);
      tellOutput?.(`${token}\n`);
      return { content: token, isError: false };
    },
  });
  const { events, folder, open } = createAgentWorld(calls, says('well'));
  const conversation = await open({ tools: [show] });
  await conversation.say('Show it.', unstopped);
  await conversation.useTool(`/Show ${token}`, unstopped);
  await conversation.say('And?', unstopped);
  expect(seen).toEqual([{ path: token }, { path: token }]);
  expect(JSON.stringify(heard)).toContain(covered);
  expect(JSON.stringify([heard, events, conversation.history()])).not.toContain(token);
  expect(onDisk(folder.path)).not.toContain(token);
});

test('a secret in a stored model call is masked on the disk', async () => {
  const { folder, open } = createAgentWorld();
  const conversation = await open({
    async answer({ keep }) {
      const call = {
        tool_call_id: 't',
        function_name: 'Show',
        arguments: { type: token, deep: [{ path: token }] },
      };
      keep({ role: 'assistant', content: token, tool_calls: [call] });
      keep({ role: 'tool', content: token, tool_call_id: 't' });
      return { kind: 'answered' };
    },
  });
  await conversation.say('Show it.', unstopped);
  expect(onDisk(folder.path)).toContain(`"path": "${covered}"`);
  expect(onDisk(folder.path)).toContain(`"type": "${covered}"`);
  expect(onDisk(folder.path)).not.toContain(token);
});

test('signed thinking that contains a secret is dropped, all other thinking is kept', async () => {
  const { folder, open } = createAgentWorld();
  const conversation = await open({
    async answer({ keep }) {
      const values = [`It is ${token}.`, 'It is one.'].map((thinking) => ({ thinking, signature: 's' }));
      keep({ role: 'assistant', content: 'One.', opaque: { model: 'one', values } });
      return { kind: 'answered' };
    },
  });
  await conversation.say('Which?', unstopped);
  expect(onDisk(folder.path)).not.toContain(token);
  expect(Object.values(conversation.history().messages).at(-1)?.opaque).toEqual({
    model: 'one',
    values: [{ thinking: 'It is one.', signature: 's' }],
  });
});

test('a secret in the reason for a missing answer is masked', async () => {
  const { open } = createAgentWorld();
  const conversation = await open({
    answer: async () => ({ kind: 'failed', message: `refused: ${token}`, hint: null }),
  });
  expect(await conversation.say('Go.', unstopped)).toMatchObject({ message: `refused: ${covered}` });
});

test('one process at a time holds a conversation, and the next one finds all of it', async () => {
  const { open } = createAgentWorld(says('It is a shop.'));
  const first = await open();
  await first.say('What is it?', unstopped);
  await expect(open()).rejects.toMatchObject({
    code: 'locked',
    message: 'This conversation is open in another process',
    hint: expect.stringContaining('collab chat'),
  });
  await first.close();
  const second = await open();
  expect(Object.values(second.history().messages).map(({ content }) => content)).toEqual([
    'What is it?',
    'It is a shop.',
  ]);
});

function onDisk(folder: string): string {
  return ['history.json', 'journal.jsonl'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
