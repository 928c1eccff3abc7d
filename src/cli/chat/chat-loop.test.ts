/** A conversation whose parts record what the loop asks of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { TypedEnd } from '../../loop/typed-line.ts';
import { emptyHistory, type ConversationHistory } from '../../providers/history/history.ts';
import { appendMessage } from '../../providers/history/history-edit.ts';
import type { AnswerOutcome } from '../../runs/conversation/dialogue.ts';
import { createConversationFolder, writeConversation } from '../../runs/conversation/store.ts';
import { systemClock } from '../../system/clock.ts';
import { toolOf } from '../../tools/tool.test-helper.ts';
import { sessionIn, type SessionHow } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { converse, readJsonInput, type Talk } from './chat-loop.ts';
import type { InnerCommand } from './run-inner-command.ts';

const now = '2026-11-21T09:30:00.000Z';
const place = { conversationId: 'c1', title: '', model: 'm', platform: 'anthropic', now } as const;
const empty = emptyHistory(place);
const asked = appendMessage(empty, { role: 'user', content: 'one' }, { id: 'm1', now });
const answered = appendMessage(asked, { role: 'assistant', content: 'yes' }, { id: 'm2', now });

interface TalkHow {
  readonly inputs?: readonly string[];
  readonly talk?: Partial<Talk>;
  readonly session?: SessionHow;
  readonly history?: ConversationHistory;
  /** The end of each answer. */
  readonly answer?: (signal: AbortSignal) => AnswerOutcome;
  readonly used?: TypedEnd;
  readonly inner?: InnerCommand;
}

function createTalk({ inputs = [], history = answered, ...how }: TalkHow) {
  const done: unknown[] = [];
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void =>
      void done.push([name, ...args.filter((arg) => !(arg instanceof AbortSignal))]);
  const rest = [...inputs];
  const { session, printed } = sessionIn({ root: '/p', env: {} }, how.session);
  const inner = how.inner ?? { exitCode: 0, printed: 'printed', remarks: '' };
  const hear = async (signal: AbortSignal): Promise<AnswerOutcome> =>
    how.answer?.(signal) ?? { kind: 'answered' };
  const talk = {
    session,
    conversation: {
      id: 'c1',
      history: () => history,
      async say(text: string, signal: AbortSignal) {
        note('say')(text);
        return hear(signal);
      },
      async resend(id: string, text: string | null, signal: AbortSignal) {
        note('resend')(id, text);
        return hear(signal);
      },
      async useTool(typed: string) {
        note('useTool')(typed);
        return how.used ?? { kind: 'ran', tool: 'Read', outcome: { content: 'read', isError: false } };
      },
      tell: async (...args: readonly unknown[]) => note('tellLead')(...args),
      switchTo: note('switchTo'),
      replaceAnswerer: async (answerer: unknown) => note('replaceAnswerer')(answerer),
    },
    identity: {
      provider: 'anthropic',
      displayName: 'Claude',
      version: null,
      model: 'm',
      login: 'API key',
      destination: 'api.example.org',
      remarks: ['a remark\u001b[2J'],
    },
    resumed: false,
    past: [],
    openModel: async (model: string) => `answerer of ${model}`,
    close: async () => undefined,
    input: {
      async read(status: string | null) {
        note('read')(status);
        return rest.shift() ?? null;
      },
      recall: note('recallInputs'),
      watch: () => null,
      close: () => undefined,
    },
    keys: { watch: () => note('watch')(), end: note('end of keys') },
    screen: {
      begin: note('begin'),
      event: note('event'),
      end: note('end'),
      hold: () => () => undefined,
      status: () => 'status',
      recall: note('recall'),
      print: note('print'),
      refuse: note('refuse'),
      tell: note('tell'),
    },
    hands: {
      async run(words: readonly string[]) {
        note('run')(words);
        return inner;
      },
      async consult(question: unknown) {
        note('consult')(question);
        return inner;
      },
      advisor: () => 'codex',
      chooseAdvisor: note('chooseAdvisor'),
    },
    tools: [toolOf('Read', { aliases: ['read'] }), toolOf('fs.write')],
    home: '/nowhere',
    isAtTerminal: false,
    json: false,
    notes: ['a note'],
    openOther: async (folder: { id: string }) => ({ opened: folder.id }),
    checkAdvisor: async (name: string) => note('checkAdvisor')(name),
    ...how.talk,
  };
  return {
    // oxlint-disable-next-line no-unsafe-type-assertion -- what the loop uses of a conversation
    talk: talk as unknown as Talk,
    printed,
    /** Everything after the introduction and before the end of the inputs, without the reads. */
    done: () => done.filter((each) => Object(each)[0] !== 'read').slice(3),
    all: done,
  };
}

/** Returns what one input does. */
async function does(input: string, how: TalkHow = {}) {
  const world = createTalk({ ...how, inputs: [input] });
  const end = await converse(world.talk);
  return { ...world, end, does: world.done() };
}

const outcome = (kind: string, node: string | null = 'm2') => [
  'tell',
  { type: 'chat.done', outcome: kind, current_node: node },
];

test('the conversation is introduced, and its earlier inputs and events come back', async () => {
  const { talk, all, printed } = createTalk({});
  expect(await converse({ ...talk, resumed: true })).toEqual({ kind: 'left', code: 0 });
  expect(printed().err).toBe(
    'conversation with Claude (m), API key; sent to api.example.org; a remark␛[2J; its tools work in your own files; a note\n',
  );
  expect(all).toEqual([
    ['tell', { type: 'chat.opened', conversation_id: 'c1', resumed: true, lead: 'anthropic', model: 'm' }],
    ['recallInputs', ['one']],
    ['recall', []],
    ['read', 'status'],
  ]);
});

test('an introduction leaves out what is not known', async () => {
  const { talk, printed } = createTalk({ history: empty });
  const identity = { ...talk.identity, model: null, login: null, destination: null, remarks: [] };
  await converse({ ...talk, identity, notes: [] });
  expect(printed().err).toBe(
    'conversation with Claude; nothing leaves this machine; its tools work in your own files\n',
  );
});

test('at a terminal the introduction is wrapped, with the keys, and the end names the conversation', async () => {
  const screen = { columns: 60 };
  const { talk, printed } = createTalk({ session: { screen }, talk: { isAtTerminal: true } });
  await converse(talk);
  expect(printed().err).toBe(
    [
      'conversation with Claude (m), API key; sent to',
      'api.example.org; a remark␛[2J; its tools work in your own',
      'files; a note',
      '/help lists the commands, @ mentions a file; Esc stops an answer, Ctrl-D exits',
      'to continue: collab chat --resume c1',
      '',
    ].join('\n'),
  );
  const without = createTalk({ history: empty, talk: { isAtTerminal: true } });
  await converse(without.talk);
  expect(without.printed().err).not.toContain('to continue');
});

test('earlier inputs are those of the user, the newest first', async () => {
  const history = appendMessage(answered, { role: 'user', content: 'two' }, { id: 'm3', now });
  const { talk, all } = createTalk({ history });
  await converse(talk);
  expect(all[1]).toEqual(['recallInputs', ['two', 'one']]);
});

test('a text is answered between the begin and the end of its screen, while the keys are watched', async () => {
  expect((await does('why?')).does).toEqual([
    ['begin', 'answer'],
    ['watch'],
    ['say', 'why?'],
    ['end of keys'],
    ['end'],
    outcome('answered'),
  ]);
  expect((await does('//a path')).does).toContainEqual(['say', '/a path']);
  expect((await does(' \n')).does).toEqual([]);
});

const noNetwork = () => ({ kind: 'failed', message: 'no network', hint: null }) as const;
const stopped = () => ({ kind: 'stopped' }) as const;

test('an answer that fails says why and how to go on, and is the exit code of the last input', async () => {
  const failed = await does('why?', { answer: noNetwork });
  expect(failed.does.slice(-2)).toEqual([
    ['refuse', 'no answer: no network', '/resend asks again'],
    outcome('failed'),
  ]);
  expect(failed.end).toEqual({ kind: 'left', code: 4 });
  const hinted = await does('why?', { answer: () => ({ ...noNetwork(), hint: 'log in' }) });
  expect(hinted.does).toContainEqual(['refuse', 'no answer: no network', 'log in']);
  const { talk } = createTalk({ inputs: ['why?', '/history'], answer: noNetwork });
  expect(await converse(talk)).toEqual({ kind: 'left', code: 0 });
});

test('a stopped answer says so at a terminal', async () => {
  const there = await does('why?', { answer: stopped, talk: { isAtTerminal: true } });
  expect(there.does).toContainEqual(outcome('stopped'));
  expect(there.printed().err).toContain('\nstopped\n');
  expect((await does('why?', { answer: stopped })).printed().err).not.toContain('stopped');
  const whole = await does('why?', { talk: { isAtTerminal: true } });
  expect(whole.printed().err).not.toContain('stopped');
});

test('Ctrl-C at a terminal stops the answer alone, and is released after it', async () => {
  const held: (() => void)[] = [];
  let released = 0;
  const holdInterrupt = (stop: () => void) => {
    held.push(stop);
    return () => void (released += 1);
  };
  const answer = (signal: AbortSignal): AnswerOutcome => {
    held[0]?.();
    throw signal.reason;
  };
  const ended = await does('why?', { answer, session: { holdInterrupt }, talk: { isAtTerminal: true } });
  expect(ended.does.slice(-3)).toEqual([['end of keys'], ['end'], outcome('stopped')]);
  expect([held.length, released]).toEqual([1, 1]);
  await does('why?', { session: { holdInterrupt } });
  expect([held.length, released]).toEqual([1, 1]);
});

test('a signal to the program ends the conversation with its exit code', async () => {
  const stop = new AbortController();
  const answer = (): AnswerOutcome => {
    stop.abort();
    return { kind: 'stopped' };
  };
  const session: SessionHow = { signal: stop.signal, endedBy: () => 'SIGTERM' };
  const { talk, all, printed } = createTalk({
    inputs: ['one', 'two'],
    answer,
    session,
    talk: { isAtTerminal: true },
  });
  expect(await converse(talk)).toEqual({ kind: 'left', code: 143 });
  expect(all.filter((each) => Object(each)[0] === 'say')).toEqual([['say', 'one']]);
  expect(printed().err).not.toContain('to continue');
});

test.each<[string, Error, unknown, string]>([
  ['refused', new CollabError('usage', 'no', { hint: 'so' }), ['refuse', 'no', 'so'], 'refused'],
  ['failed', new CollabError('network', 'no'), ['refuse', 'no', null], 'failed'],
])('a command that is %s', async (_what, error, refused, kind) => {
  const checkAdvisor = () => Promise.reject(error);
  expect((await does('/advisor x', { talk: { checkAdvisor } })).does).toEqual([refused, outcome(kind)]);
});

test('an error of another kind ends the conversation', async () => {
  const error = new TypeError('broken');
  const talk = { checkAdvisor: () => Promise.reject(error) };
  await expect(does('/advisor x', { talk })).rejects.toBe(error);
});

test('an input that makes no sense is refused with the usage of its command', async () => {
  expect((await does('/history #9')).does).toEqual([
    ['refuse', "There is no message '#9': there are 1 to 2. Usage: /history [#<n>]", null],
    outcome('refused'),
  ]);
  expect((await does('/histry')).does).toEqual([
    [
      'refuse',
      'There is no command /histry. Did you mean /history? To send a text that starts with a slash, write two: //histry',
      null,
    ],
    outcome('refused'),
  ]);
});

test('a tool of the user has a screen of its own; its output is printed', async () => {
  const ran = [['begin', 'tool'], ['useTool', '/read a.ts'], ['end']];
  expect((await does('/read a.ts')).does).toEqual([...ran, ['print', '/read a.ts', 'read'], outcome('done')]);
  const refused = await does('/read a.ts', { used: { kind: 'refused', message: 'no file' } });
  expect(refused.does).toEqual([...ran, ['refuse', 'no file', null], outcome('refused')]);
  const other = await does('/read a.ts', { used: { kind: 'text', text: 'x' } });
  expect(other.does).toEqual([...ran, outcome('done')]);
});

test('the output of a command is passed to the lead, and printed for a program', async () => {
  expect((await does('/review --staged')).does).toEqual([
    ['run', ['review', '--staged']],
    ['tellLead', '/review --staged', 'printed'],
    outcome('done'),
  ]);
  expect((await does('/consult design why?', { talk: { json: true } })).does).toEqual([
    ['consult', { phase: 'design', brief: 'why?' }],
    ['print', 'consult', 'printed'],
    ['tellLead', '/consult design why?', 'printed'],
    outcome('done'),
  ]);
});

test('a command without output tells nothing; one that was called wrongly is refused', async () => {
  const inner = { exitCode: 2, printed: ' \n', remarks: '' };
  expect((await does('/review', { inner })).does).toEqual([['run', ['review']], outcome('refused')]);
});

test('the end of a long output is shown', async () => {
  const inner = { exitCode: 0, printed: `a${'x'.repeat(32_768)}`, remarks: '' };
  expect((await does('/review', { inner })).does[1]).toEqual(['tellLead', '/review', 'x'.repeat(32_768)]);
});

test('a command that the user stopped is stopped, whatever its exit code', async () => {
  const stop = new AbortController();
  const hands = {
    run: async () => {
      stop.abort();
      return { exitCode: 2, printed: 'half', remarks: '' };
    },
  };
  const ended = await does('/review', {
    session: { signal: stop.signal },
    // oxlint-disable-next-line no-unsafe-type-assertion -- the only operation that the command uses
    talk: { hands: hands as unknown as Talk['hands'] },
  });
  expect(ended.does).toEqual([['tellLead', '/review', 'half'], outcome('stopped')]);
});

test('the advisor is checked before it is chosen; auto needs no check', async () => {
  expect((await does('/advisor gemini')).does).toEqual([
    ['checkAdvisor', 'gemini'],
    ['chooseAdvisor', 'gemini'],
    ['print', 'advisor', 'advisor: codex'],
    outcome('done'),
  ]);
  expect((await does('/advisor auto')).does[0]).toEqual(['chooseAdvisor', 'auto']);
});

test('another model answers from now on', async () => {
  expect((await does('/model opus')).does).toEqual([
    ['replaceAnswerer', 'answerer of opus'],
    ['print', 'model', 'lead: anthropic:m'],
    outcome('done'),
  ]);
  const history = emptyHistory({ ...place, model: '' });
  expect((await does('/model', { history })).does[0]).toEqual(['print', 'model', 'lead: anthropic']);
});

test('a message is sent again as an answer', async () => {
  expect((await does('/resend #1 again')).does).toEqual([
    ['begin', 'answer'],
    ['watch'],
    ['resend', 'm1', 'again'],
    ['end of keys'],
    ['end'],
    outcome('answered'),
  ]);
  expect((await does('/branch 1')).does[0]).toEqual(['switchTo', 'm2']);
});

test('the help has the usage of each tool, cut to the width', async () => {
  const parameters = {
    type: 'object',
    properties: { file_path: { type: 'string' } },
    required: ['file_path'],
  };
  const tools = [toolOf('Read', { aliases: ['read'], parameters }), toolOf('fs.write')];
  const { does: shown } = await does('/help', { talk: { tools }, session: { screen: { columns: 10 } } });
  expect(String(Object(shown[0])[2]).split('\n').slice(-4)).toEqual([
    'Tools:',
    '/read <...',
    '/fs.write',
    '//text sends a text that starts with a slash',
  ]);
});

test('/exit leaves without an outcome', async () => {
  const { talk, done } = createTalk({ inputs: ['/exit', 'not read'] });
  expect(await converse(talk)).toEqual({ kind: 'left', code: 0 });
  expect(done()).toEqual([]);
});

/** A home with as many conversations and `c1`; the first one is the newest. */
function homeWith(...titles: readonly string[]) {
  const home = join(scratchFolder(), '.collab');
  let second = 0;
  const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 21, 9, 30, (second += 1)) };
  const folders = titles.toReversed().map((title) => {
    const folder = createConversationFolder(home, clock);
    writeConversation(folder, { ...answered, conversation_id: folder.id, title });
    return folder;
  });
  return { home, folders: folders.toReversed() };
}

test('another conversation is opened by its id', async () => {
  const { home, folders } = homeWith('other');
  const { talk } = createTalk({ inputs: [`/resume ${folders[0]?.id}`, 'not read'], talk: { home } });
  expect(await converse(talk)).toEqual({ kind: 'resumed', other: { opened: folders[0]?.id } });
});

const refusals = async (input: string, talk: Partial<Talk>) => (await does(input, { talk })).does[0];

test('there may be no other conversation, and without a terminal it has to be named', async () => {
  const { home, folders } = homeWith('this one');
  const [{ id } = { id: '' }] = folders;
  const conversation = { ...createTalk({}).talk.conversation, id };
  const usage = 'Usage: /resume [<id>]';
  expect(await refusals('/resume', { home, conversation })).toEqual([
    'refuse',
    `There is no other conversation. ${usage}`,
    null,
  ]);
  expect(await refusals(`/resume ${id}`, { home, conversation })).toEqual([
    'refuse',
    `This is that conversation. ${usage}`,
    null,
  ]);
  const { does: listed } = await does('/history', { talk: { home, conversation } });
  expect(listed[0]).toEqual(['print', 'history', '#1 you: one\n#2 lead: yes']);
  expect(await refusals('/resume', { home })).toEqual([
    'refuse',
    `Name the conversation; /history lists them. ${usage}`,
    null,
  ]);
});

test('at a terminal the user picks another conversation, or none', async () => {
  const { home, folders } = homeWith('other');
  const [{ id } = { id: '' }] = folders;
  const screen = { movesCursor: false };
  const terminal = createTerminal([['1-1: ', '1\n']], { screen });
  const there = { inputs: ['/resume'], session: terminal.how, talk: { home, isAtTerminal: true } };
  expect(await converse(createTalk(there).talk)).toEqual({ kind: 'resumed', other: { opened: id } });
  expect(terminal.shown()).toContain(`Continue which conversation?\n  1. ${id}  other\n`);
  const none = createTerminal([], {
    screen,
    onWrite(text) {
      if (text === '1-1: ') setImmediate(() => none.how.stdin.push(null));
    },
  });
  const { does: picked } = await does('/resume', { ...there, session: none.how });
  expect(picked).toEqual([outcome('done')]);
});

test('the history lists the ten newest other conversations, also a corrupt one', async () => {
  const { home, folders } = homeWith(...Array.from({ length: 11 }, (_, index) => `title ${index}`));
  const oldest = folders.at(-1);
  const written = async () => String(Object((await does('/history', { talk: { home } })).does[0])[2]);
  const lines = (await written()).split('\n');
  expect(lines.slice(0, 4)).toEqual(['#1 you: one', '#2 lead: yes', '', 'Other conversations:']);
  expect(lines).toHaveLength(14);
  writeFileSync(join(oldest?.path ?? '', 'history.json'), '{');
  expect((await written()).split('\n')).toContain(`collab chat --resume ${oldest?.id}  (corrupt)`);
  const { does: alone } = await does('/history', { talk: { home: scratchFolder() } });
  expect(alone[0]).toEqual(['print', 'history', '#1 you: one\n#2 lead: yes']);
});

test.each([
  ['{"text":"two\\nlines"}', 'two\nlines'],
  ['{"text":7}', '{"text":7}'],
  ['{"words":"x"}', '{"words":"x"}'],
  ['null', 'null'],
  ['7', '7'],
  ['"text"', '"text"'],
  ['plain {', 'plain {'],
])('the line %s of a program is the input %j', (line, input) => {
  expect(readJsonInput(line)).toBe(input);
});
