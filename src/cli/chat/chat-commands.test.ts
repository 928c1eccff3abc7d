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
])('%s', async (typed, ...does) => {
  const { hands, done } = createHands();
  await run(typed, hands);
  expect(done).toEqual(does);
});

test.each([
  ['/consult', 'Name the phase first.'],
  ['/consult desing it', 'Did you mean design?'],
  ['/consult design', 'Say what you want to know.'],
  ['/review "open', 'quot'],
  ['/history #3', "There is no message '#3': there are 1 to 2."],
  ['/history x', 'There is no message x: there are 1 to 2.'],
  ['/branch 0', 'There is no branch 0: there are 1 to 1.'],
  ['/resend #2 x', '#2 is not yours.'],
])('%s makes no sense, and does nothing', async (typed, message) => {
  const { hands, done } = createHands();
  const error = await run(typed, hands).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotLikeThat);
  expect(String(error)).toContain(message);
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
});

test('/help lists every command, those of the tools included; /exit ends the conversation', async () => {
  const { hands, done } = createHands();
  expect(await run('/help', hands)).toBe('done');
  const text = JSON.stringify(done);
  const wanted = [...chatCommands.map(({ name }) => `/${name}`), '/read <file_path>', '//text'];
  expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
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
