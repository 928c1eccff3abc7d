/** A conversation with only the keyboard: messages, stopping, unfolding, and links. */
import type { Locator, Page } from 'playwright-core';
import { projectToStreaming } from '../../../src/views/stream/projection.ts';
import { leads, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { ended, eventStream, said, started } from '../../fixtures/screens/event-streams.ts';
import { answerWith, contextStatus, endingWith } from '../context-run.ts';
import { focusIn, press, tabTo, unfoldAndFold, untilFocused } from './keyboard.ts';
import { newFile, open, sharedServer, startRun } from '../served-page.ts';
import { test } from '../visitor.ts';

const forever = { repeat: 'forever' };
const world = sharedServer(
  scriptOf(
    leads({ work: 'converse', contains: 'And now?' }, 'Now it is told.', forever),
    {
      when: { work: 'converse', contains: 'Take your time.' },
      ...forever,
      messages: [{ text: 'It begins.' }],
      fault: 'never',
    },
    leads({ work: 'converse' }, 'The answer is **one**, see [this](https://example.org).', {
      ...forever,
      messages: [{ tool: { name: 'Read', input: { file_path: 'one.ts' }, output: 'its lines' } }],
    }),
    { when: { tag: '[REQUEST:REVIEW]' }, ...forever, fault: 'never' },
  ),
);

/** The tool calls that a lead adds to the messages. */
const read = [
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ id: 't', function_name: 'Read', arguments: { file_path: 'one.ts' } }],
  },
  { role: 'tool', tool_call_id: 't', content: 'its lines' },
];

const helper = { id: 'helper-1', role: 'sub', provider: 'claude_code' } as const;
const helped = projectToStreaming(
  eventStream([
    started(),
    { type: 'thinking.delta', block_id: 't', text: 'It may be two.' },
    { type: 'agent.started', agent_id: helper.id, agent_type: 'explorer', description: 'looks it up' },
    ...said('Found it.').map((body) => ({ body, agent: helper, parentAgentId: helper.id })),
    ...said('It is one.', { block: 'b2' }),
    ended(),
  ]),
);

test('a conversation is started, a message is sent, and the input is ready for the next one', async ({
  visitor: { page },
  expect,
}) => {
  await open(page, world.served(), '/');
  await press(page, page.getByRole('button', { name: 'Open a new conversation' }), 'Enter');
  await page.getByRole('heading', { name: 'New conversation' }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
  await say(page, 'What is it?');
  await page.getByText('The answer is one').first().waitFor();
  await untilFocused(inputOf(page));
  await page.keyboard.type('And');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('again?');
  expect(await inputOf(page).inputValue()).toBe('And\nagain?');
  await tabTo(page, page.getByRole('button', { name: 'Send' }));
  await page.keyboard.press('Space');
  await expect.poll(() => answersOf(page).count()).toBe(2);
  await untilFocused(inputOf(page));
});

test.for(['Enter', 'Space'])(
  'an answer in progress is stopped by %s; the input is ready for the next message',
  async (key, { visitor: { page }, expect }) => {
    await open(page, world.served(), `/#/c/stopped-by-${key}`);
    await say(page, 'Take your time.');
    await page.getByText('It begins.').waitFor();
    expect(await focusIn(page)).toBe('FORM.chat-input');
    const stop = page.getByRole('button', { name: 'Cancel', exact: true });
    await press(page, stop, key);
    await page.getByText('Cancelled. The text so far is kept.').waitFor();
    await stop.waitFor({ state: 'detached' });
    await untilFocused(inputOf(page));
    await page.keyboard.type('And now?');
    await page.keyboard.press('Enter');
    await answersOf(page).getByText('Now it is told.').waitFor();
    expect(await answersOf(page).getByText('It begins.').count()).toBe(1);
  },
);

test('tool calls and their results are unfolded and folded; a link in an answer is a tab stop', async ({
  visitor: { page },
}) => {
  await open(page, world.served(), '/#/c/folds');
  await say(page, 'What is it?');
  await answersOf(page).getByText('The answer is one').waitFor();
  await page.route('**/conversations/folds', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({
      response,
      body: text.replace(/"messages":\[/, `$&${JSON.stringify(read).slice(1, -1)},`),
    });
  });
  await page.reload();
  const messages = page.getByRole('list', { name: 'Messages' });
  for (const [head, content] of [
    ['Tool: Read', '"file_path"'],
    ['Tool', 'its lines'],
  ] as const)
    await unfoldAndFold(
      messages.getByRole('button', { name: head, exact: true }),
      messages.getByText(content),
    );
  await tabTo(page, messages.getByRole('link', { name: 'this' }));
});

test('the thinking of the lead and of a sub-agent is unfolded and folded', async ({ visitor: { page } }) => {
  await answerWith(page, helped);
  await open(page, world.served(), '/#/c/thinking');
  await say(page, 'Think.');
  await page.getByText('It is one.').waitFor();
  await unfoldAndFold(page.getByRole('button', { name: 'Thinking' }), page.getByText('It may be two.'));
  await unfoldAndFold(
    page.getByRole('button', { name: 'explorer looks it up' }),
    page.getByText('Found it.'),
  );
});

test('a full context leads to a new chat', async ({ visitor: { page }, expect }) => {
  await answerWith(page, endingWith(contextStatus('blocked', 95)));
  await open(page, world.served(), '/#/c/full');
  await say(page, 'Read it all.');
  await untilFocused(page.getByRole('alert'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Start something' }).waitFor();
  expect(await focusIn(page)).toBe('MAIN');
});

test('an active run of the conversation is opened from its notice and from the list', async ({
  visitor: { page },
  expect,
}) => {
  const diff = newFile('src/held.ts', ['export {};']);
  await startRun(world.served(), 'held', { kind: 'review', input: { diff } });
  for (const link of [
    page.getByRole('link', { name: 'Show it' }),
    page.getByRole('navigation', { name: 'Runs of this conversation' }).getByRole('link'),
  ]) {
    await open(page, world.served(), '/#/c/held');
    await press(page, link, 'Enter');
    await page.getByRole('button', { name: 'Cancel the run' }).waitFor();
    expect(await focusIn(page)).toBe('MAIN');
  }
});

async function say(page: Page, text: string): Promise<void> {
  await tabTo(page, inputOf(page));
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

function inputOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Your message' });
}

function answersOf(page: Page): Locator {
  return page.locator('.messages .message.assistant');
}
