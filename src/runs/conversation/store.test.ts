import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../../system/clock.ts';
import { createAgentWorld, says, unstopped } from './conversation.test-helper.ts';
import {
  allConversations,
  createConversationFolder,
  findConversation,
  hasHistory,
  listConversations,
  readConversation,
  removeConversation,
  writeConversation,
} from './store.ts';

/** Conversations with messages, each older than the one before it. */
function world(...ids: readonly string[]) {
  const home = scratchFolder();
  const folders = ids.map((id, index) => {
    const path = join(home, 'conversations', id);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'history.json'), '{}');
    utimesSync(join(path, 'history.json'), 1000 - index, 1000 - index);
    return { id, path };
  });
  return { home, folders };
}

const found = (home: string, wanted: string | null) =>
  refusalOf((async () => findConversation(home, wanted))());

test('conversations with messages are listed, the last changed first; others are only among all', () => {
  const { home, folders } = world('b', 'c', 'a');
  const empty = createConversationFolder(home, systemClock);
  expect(listConversations(home)).toEqual(folders);
  expect(allConversations(home).map(({ id }) => id)).toContain(empty.id);
  expect([hasHistory(empty), folders.map(hasHistory)]).toEqual([false, [true, true, true]]);
  expect(statSync(empty.path).mode & 0o777).toBe(0o700);
  for (const { path } of folders) utimesSync(join(path, 'history.json'), 1000, 1000);
  expect(listConversations(home).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  expect(allConversations(scratchFolder())).toEqual([]);
});

test('a conversation is found by its start or its end; without words, the newest', () => {
  const { home, folders } = world('20261121-aaaa', '20261120-bbbb');
  expect(findConversation(home, null)).toEqual(folders[0]);
  expect(findConversation(home, '20261120')).toEqual(folders[1]);
  expect(findConversation(home, 'aaaa')).toEqual(folders[0]);
});

test('a conversation that is not found, or not the only one, is refused with its neighbors', async () => {
  const { home } = world('20261121-aaaa', '20261120-bbbb');
  expect(await found(home, '202611')).toMatchObject({
    code: 'input',
    message: '202611 could be 20261121-aaaa or 20261120-bbbb',
  });
  expect(await found(home, '20261120-bbbc')).toEqual({
    code: 'input',
    message: 'There is no conversation 20261120-bbbc; the nearest is 20261120-bbbb',
    hint: 'list them with /history in collab chat',
  });
  const none = scratchFolder();
  expect(await found(none, null)).toEqual({
    code: 'input',
    message: `There is no conversation in ${none}`,
    hint: 'start one: collab chat',
  });
});

test('a damaged history names the way to its state before the last change', async () => {
  const { folder, open } = createAgentWorld(says('Yes.'));
  const read = () => refusalOf((async () => readConversation(folder))());
  const file = join(folder.path, 'history.json');
  writeFileSync(file, '{');
  expect((await read()).hint).toBe('start a new conversation: collab chat');
  removeConversation(folder);
  mkdirSync(folder.path);
  const conversation = await open();
  await conversation.say('Is it?', unstopped);
  const whole = readConversation(folder);
  writeConversation(folder, whole);
  expect(readdirSync(folder.path)).toContain('history.before.json');
  writeFileSync(file, '{');
  expect(await read()).toMatchObject({
    code: 'input',
    hint: expect.stringMatching(
      /^the state before the last change is kept: cp '.*history\.before\.json' '.*history\.json'$/,
    ),
  });
  writeConversation(folder, whole);
  expect(readConversation(folder)).toEqual(whole);
});
