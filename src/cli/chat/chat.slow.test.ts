/** Conversations with a scripted lead, from a pipe, for a program, and at a terminal. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPair } from '../rehearsed-pair.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';

const chat = ['chat', '--lead', 'rehearsal'];
const words = 'I am a rehearsal: these words come from a script';

test('an answer is on standard output, the introduction and refusals on standard error', async () => {
  const { collab } = createPair();
  const input = 'hello\n\n/nope\n/consult\n/consult desing x\n/advisor codx\n/exit\nnot read\n';
  const { code, out, err } = await collab([...chat, '--ascii'], { input });
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^\n\\[init\\] Rehearsal: model=rehearsed-1, id=\\S+\n\n${words}`));
  expect(out).toMatch(/\n\[stats\] duration_ms=\d+, cost_usd=0\.000000, input_tokens=40, .*\n\n?$/);
  expect(err).toBe(
    [
      'conversation with Rehearsed lead (rehearsed-1); nothing leaves this machine; a rehearsal of chat.yaml, no model answers; its tools work in your own files',
      'There is no command /nope. To send a text that starts with a slash, write two: //nope',
      'Name the phase first. Usage: /consult requirements|design|implementation <what you want to know>',
      'Did you mean design? Usage: /consult requirements|design|implementation <what you want to know>',
      'there is no provider "codx"; is codex meant?',
      '  known providers: anthropic, openai, gemini, codex, claude_code, static_review, rehearsal',
      '',
    ].join('\n'),
  );
});

test('a program gets one JSON object a line, and an outcome for each input', async () => {
  const { collab } = createPair();
  const input = '{"text":"hello"}\n/read README.md\n/history\n/nope\n/review --nope\n/advisor codx\n';
  const { code, out } = await collab([...chat, '--json'], { input });
  expect(code).toBe(0);
  const records: readonly Readonly<Record<string, unknown>>[] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records[0]).toEqual({
    type: 'chat.opened',
    conversation_id: expect.any(String),
    resumed: false,
    lead: 'rehearsal',
    model: 'rehearsed-1',
  });
  const outcomes = records.filter(({ type }) => type === 'chat.done').map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['answered', 'done', 'done', 'refused', 'refused', 'refused']);
  const told = records.filter(({ type }) => type === 'chat.output');
  expect(told.map(({ command }) => command)).toEqual(['/read README.md', 'history', 'review']);
  expect(told[0]).toMatchObject({ text: '1\t# one' });
  expect(told[1]).toMatchObject({
    text: expect.stringMatching(/^#1 you: hello\n#2 lead: I am [^]*\n#3 you: I ran \/read/),
  });
  expect(records.filter(({ type }) => type === 'chat.refused')).toEqual([
    { type: 'chat.refused', message: expect.stringContaining('There is no command /nope.') },
    {
      type: 'chat.refused',
      message: 'there is no provider "codx"; is codex meant?',
      hint: expect.stringContaining('known providers: '),
    },
  ]);
});

test('a conversation is continued, and another one is chosen in it', async () => {
  const { collab } = createPair();
  await collab(chat, { input: 'the first\n' });
  await collab(chat, { input: 'the second\n' });
  const { out } = await collab([...chat, '--resume'], { input: '/history\n' });
  expect(out).toMatch(
    /^#1 you: the second\n#2 lead: I am [^]*\nOther conversations:\ncollab chat --resume (\S+) {2}the first\n$/,
  );
  const [, other = ''] = /--resume (\S+)/.exec(out) ?? [];
  const { out: inOther, err } = await collab([...chat, '--resume', 'latest'], {
    input: `/resume\n/resume ${other}\n/history #1\n/resume ${other}\n/branch\n`,
  });
  expect(err).toContain('Name the conversation; /history lists them.');
  expect(err).toContain('This is that conversation.');
  expect(inOther).toMatch(/^the first\n\* 1 {2}\S+ \S+ {2}2 messages {2}the first\n$/);
  expect((await collab([...chat, '--resume', 'nothing'], { input: '' })).code).toBe(2);
  expect((await collab(['clean', '--all'])).out.match(/^removed \S+ \(conversation\)$/gm)).toHaveLength(2);
});

test('a consult of the user is shown, and passed to the lead', async () => {
  const { collab, agent } = createPair();
  const input = `/advisor ${agent}\n/advisor\n/consult design Is it small?\n/history\n`;
  const { out, err } = await collab([...chat, '--json'], { input });
  expect(err).toMatch(/^conversation with /);
  const outputs = out
    .split('\n')
    .filter((line) => line.includes('"chat.output"'))
    .map((line) => JSON.parse(line).text);
  expect(outputs).toEqual([
    `advisor: ${agent}`,
    `advisor: ${agent}`,
    expect.stringContaining('## RECOMMENDATION'),
    expect.stringMatching(/^#1 you: I ran \/consult design/),
  ]);
});

test('a line that ends with a backslash continues on the next one', async () => {
  const { collab } = createPair();
  const { out } = await collab(chat, { input: 'one\\\ntwo\n/history #1\nthree\\' });
  expect(out).toContain('\none\ntwo\n');
});

test('at a terminal the lead asks before it writes; a refusal asks for the reason', async () => {
  const { collab, repository } = createPair();
  const terminal = createTerminal(
    [
      ['> ', 'write something\r'],
      ['1-3: ', '3\n'],
      ['Why not? The lead gets your reason. (nothing): ', 'Not now.\n'],
      ['> ', '\u0004'],
    ],
    { screen: { movesCursor: false } },
  );
  expect((await collab(chat, terminal.how)).code).toBe(0);
  const shown = terminal.shown();
  expect(shown).toContain('/help lists the commands, @ mentions a file; Esc stops an answer, Ctrl-D exits\n');
  expect(shown).toContain(
    'Allow Write?\n  1. yes, once\n  2. yes, always in this conversation\n  3. no, with a reason\n',
  );
  expect(shown).toMatch(/to continue: collab chat --resume \S+\n$/);
  expect(existsSync(join(repository.root, 'note.txt'))).toBe(false);
});

test.each([
  ['1', 2],
  ['2', 1],
])('the permission %s is asked for %d times in two answers', async (choice, times) => {
  const { collab, repository } = createPair();
  const terminal = createTerminal(
    [
      ['> ', 'write something\r'],
      ['1-3: ', `${choice}\n`],
      ['> ', 'write something\r'],
      ...Array.from({ length: times - 1 }, () => ['1-3: ', `${choice}\n`] as const),
      ['> ', '\u0004'],
    ],
    { screen: { movesCursor: false } },
  );
  expect((await collab(chat, terminal.how)).code).toBe(0);
  expect(terminal.shown().match(/Allow Write\?/g)).toHaveLength(times);
  expect(readFileSync(join(repository.root, 'note.txt'), 'utf8')).toBe(
    'Written by a rehearsal of collab chat.\n',
  );
});

test('a terminal that moves its cursor has live lines, and a status above the prompt', async () => {
  const { collab } = createPair();
  const terminal = createTerminal([
    ['> ', 'hello\r'],
    ['rehearsed-1 · context 100 tokens', '\u0004'],
  ]);
  const { code } = await collab(chat, terminal.how);
  expect(code).toBe(0);
  expect(terminal.written()).toContain('\u001b[?2026h');
  expect(terminal.shown()).toContain(words);
  expect(terminal.shown()).not.toContain('stopped');
});

test('Esc stops an answer, and the conversation goes on', async () => {
  const { collab } = createPair();
  const terminal = createTerminal([
    ['> ', 'slow\r'],
    ['Rehears', '\u001b'],
    ['stopped\n', '\u0004'],
  ]);
  expect((await collab(chat, terminal.how)).code).toBe(0);
});

test('a conversation without a message, or without a lead, leaves nothing', async () => {
  const { collab, repository } = createPair();
  const left = () => readdirSync(join(repository.root, '.collab/conversations'));
  expect((await collab(chat, { input: '/help\n' })).code).toBe(0);
  expect(left()).toEqual([]);
  const none = ['chat', '--lead', 'rehearsal:none.yaml'];
  expect((await collab(none, { input: 'hello\n' })).code).not.toBe(0);
  expect(left()).toEqual([]);
  await collab(chat, { input: 'hello\n' });
  const [id] = left();
  expect((await collab([...none, '--resume'], { input: 'hello\n' })).code).not.toBe(0);
  expect(left()).toEqual([id]);
  const { out } = await collab([...chat, '--json', '--resume'], { input: '' });
  expect(JSON.parse(out)).toEqual({
    type: 'chat.opened',
    conversation_id: id,
    resumed: true,
    lead: 'rehearsal',
    model: 'rehearsed-1',
  });
});
