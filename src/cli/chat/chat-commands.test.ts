import { expect, test } from 'vitest';
import { emptyHistory, type ConversationHistory } from '../../providers/history/history.ts';
import { appendMessage } from '../../providers/history/history-edit.ts';
import { chatCommands, NotLikeThat, type ChatHands } from './chat-commands.ts';

test.each([
  [
    '/consult design Is it small?',
    ['consult', '/consult design Is it small?', { phase: 'design', brief: 'Is it small?' }],
  ],
  ['/review --base main', ['collab', '/review --base main', ['review', '--base', 'main']]],
  ['/review', ['collab', '/review', ['review']]],
  [
    "/run fix the user's total --phases design,review --yes",
    [
      'collab',
      "/run fix the user's total --phases design,review --yes",
      ['run', "fix the user's total", '--phases', 'design,review', '--yes'],
    ],
  ],
  [
    '/run --task-file "my task.md"',
    ['collab', '/run --task-file "my task.md"', ['run', '--task-file', 'my task.md']],
  ],
  ['/advisor codex:gpt-5.5', ['advisor', 'codex:gpt-5.5'], ['print', 'advisor: chosen']],
  ['/advisor', ['print', 'advisor: chosen']],
  ['/model opus', ['model', 'opus'], ['print', 'lead: anthropic:m']],
  ['/model', ['print', 'lead: anthropic:m']],
  ['/history #2', ['print', 'the answer']],
  ['/history', ['print', '#1 you: the question\n#2 lead: the answer\n\nOther conversations:']],
  ['/branch 1', ['switchTo', 'm2'], ['print', '* 1  2026-11-21 09:30  2 messages  the question']],
  ['/resend', ['resend', 'm1', null]],
  ['/resend #1', ['resend', 'm1', null]],
  ['/resend #1 another text', ['resend', 'm1', 'another text']],
  ['/resend another #1', ['resend', 'm1', 'another #1']],
  ['/resend #1x', ['resend', 'm1', '#1x']],
])('%s', async (typed, ...does) => {
  const { hands, done } = createHands();
  await run(typed, hands);
  expect(done).toEqual(does);
});

test.each([
  ['/consult', 'Name the phase first.'],
  ['/consult desing it', 'Did you mean design?'],
  ['/consult design', 'Say what you want to know.'],
  ['/consult design \n', 'Say what you want to know.'],
  ['/review "open', 'A quote is opened and not closed: "open'],
  ['/run x --phases "open', 'A quote is opened and not closed: "open'],
  ['/history #3', "There is no message '#3': there are 1 to 2."],
  ['/history x', 'There is no message x: there are 1 to 2.'],
  ['/resend #10', "There is no message '#10': there are 1 to 2."],
  ['/branch 0', 'There is no branch 0: there are 1 to 1.'],
  ['/resend #2 x', '#2 is not yours.'],
])('%s makes no sense, and does nothing', async (typed, message) => {
  const { hands, done } = createHands();
  const error = await run(typed, hands).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotLikeThat);
  expect(Object(error).message).toBe(message);
  expect(done).toEqual([]);
});

test('an empty conversation says that there are no messages yet', async () => {
  const { hands, done } = createHands(empty);
  await run('/history', { ...hands, others: () => [] });
  await run('/branch', hands);
  expect(done).toEqual([
    ['print', 'no messages yet'],
    ['print', 'no messages yet'],
  ]);
  await expect(run('/resend', hands)).rejects.toThrow('There are no messages yet.');
  await expect(run('/history 1', hands)).rejects.toThrow('There is no message 1: there is none yet.');
  await run('/history', hands);
  expect(done.at(-1)).toEqual(['print', 'no messages yet\n\nOther conversations:']);
});

test('the outcome of a command is that of its operation', async () => {
  const { hands } = createHands();
  const outcomes: unknown[] = [];
  for (const typed of ['/consult design x', '/run x', '/advisor', '/model', '/history', '/branch', '/resend'])
    outcomes.push(await run(typed, hands));
  expect(outcomes).toEqual(['done', 'done', 'done', 'done', 'done', 'done', 'answered']);
});

test('a conversation is resumed by its id, or by the pick of the user', async () => {
  const { hands, done } = createHands();
  expect(await run('/resume', hands)).toBe('resume');
  expect(await run('/resume c2', { ...hands, resume: async (id) => id === null })).toBe('done');
  expect(await run('/resume c2', hands)).toBe('resume');
  expect(done).toEqual([
    ['resume', null],
    ['resume', 'c2'],
  ]);
});

test('the names, usages and texts of the commands', () => {
  const listed = chatCommands.map(({ name, aliases, usage, says }) => [name, aliases ?? [], usage, says]);
  expect(listed).toEqual([
    [
      'consult',
      [],
      '/consult requirements|design|implementation <what you want to know>',
      'asks the advisor; its answer is shown and passed to the lead',
    ],
    ['review', [], '/review [--staged | --base <ref> | <diff>] …', 'collab review of your changes'],
    ['run', [], '/run <task> [--phases …] [--yes] …', 'collab run: takes a task through the phases'],
    ['advisor', [], '/advisor [<provider[:model]>]', 'sets the advisor; without a name, prints it'],
    ['model', [], '/model [<model>]', "sets the lead's model; without a name, prints it"],
    [
      'history',
      [],
      '/history [#<n>]',
      'shows the messages of this branch, or one whole message; lists other conversations',
    ],
    ['branch', [], '/branch [<n>]', 'lists the branches of the conversation, or continues on one'],
    [
      'resend',
      [],
      '/resend [#<n>] [<text>]',
      'replaces message n (default: your last) on a new branch; without a text, sends it again',
    ],
    ['resume', [], '/resume [<id>]', 'continues another conversation; without an id, you pick one'],
    ['help', [], '/help', 'this list'],
    ['exit', ['quit'], '/exit', 'ends the conversation, like Ctrl-D; collab chat --resume continues it'],
  ]);
});

test('/help lists every command, those of the tools included; /exit ends the conversation', async () => {
  const { hands, done } = createHands();
  expect(await run('/help', hands)).toBe('done');
  const lines = chatCommands.flatMap(({ usage, says }) => [usage, `    ${says}`]);
  const tools = ['Tools:', '/read <file_path>', '//text sends a text that starts with a slash'];
  expect(done).toEqual([['print', [...lines, ...tools].join('\n')]]);
  expect(await run('/exit', hands)).toBe('leave');
});

const now = '2026-11-21T09:30:00.000Z';
const empty = emptyHistory({ conversationId: 'c', title: '', model: '', platform: '', now });
const asked = appendMessage(empty, { role: 'user', content: 'the question' }, { id: 'm1', now });
const answered = appendMessage(asked, { role: 'assistant', content: 'the answer' }, { id: 'm2', now });

/** Implements the operations by recording their calls. */
function createHands(history: ConversationHistory = answered) {
  const done: unknown[] = [];
  const note = (...what: readonly unknown[]): void => void done.push(what);
  const hands: ChatHands = {
    history: () => history,
    columns: 80,
    print: (text) => note('print', text),
    async collab(typed, args) {
      note('collab', typed, args);
      return 'done';
    },
    async consult(typed, question) {
      note('consult', typed, question);
      return 'done';
    },
    async resend(messageId, text) {
      note('resend', messageId, text);
      return 'answered';
    },
    switchTo: (messageId) => note('switchTo', messageId),
    resume: async (id) => {
      done.push(['resume', id]);
      return true;
    },
    chooseAdvisor: async (name) => note('advisor', name),
    chooseModel: async (model) => note('model', model),
    chosen: () => ({ advisor: 'chosen', lead: 'anthropic:m' }),
    others: () => ['', 'Other conversations:'],
    toolUsages: () => ['/read <file_path>'],
  };
  return { hands, done };
}

async function run(typed: string, hands: ChatHands) {
  const [, name = '', rest = ''] = /^\/(\S+)\s*([^]*)$/.exec(typed) ?? [];
  const command = chatCommands.find((known) => known.name === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return command.run(rest, hands);
}
