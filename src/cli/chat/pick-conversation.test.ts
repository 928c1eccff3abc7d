import { expect, test } from 'vitest';
import { sessionIn } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { pickConversation } from './pick-conversation.ts';

const conversations = ['c1', 'c2'].map((id) => ({
  folder: { id, path: `/${id}` },
  title: `title\u001b[2J\nof ${id}`,
}));

async function pick(keys: string, signal = new AbortController().signal) {
  const terminal = createTerminal([['1-2: ', keys]], { screen: { movesCursor: false } });
  const { session } = sessionIn({ root: '/', env: {} }, terminal.how);
  const picked = await pickConversation(conversations, { screen: session.screen, signal });
  return { picked, shown: terminal.shown() };
}

test('the user picks a conversation by its number; each has its title on one line', async () => {
  const { picked, shown } = await pick('2\n');
  expect(picked).toEqual({ id: 'c2', path: '/c2' });
  expect(shown).toContain(
    'Continue which conversation?\n  1. c1  title␛[2J of c1\n  2. c2  title␛[2J of c2\n',
  );
});

test('a question that is cancelled picks none', async () => {
  expect((await pick('', AbortSignal.abort())).picked).toBe(null);
});
