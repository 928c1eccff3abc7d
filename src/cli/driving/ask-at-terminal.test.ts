/** Each kind of question at a terminal that prints lines: the whole text that a person sees, and the answer of the run. */
import { expect, test, vi } from 'vitest';
import type { AskedQuestion } from '../../engine/drive/perform-options.ts';
import { approvalQuestion, applyQuestion } from '../../runs/calls/gate-question.ts';
import { reverseQuestion } from '../../runs/calls/reverse-question.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunInput } from '../../runs/folder/run-input.ts';
import { renderPatch } from '../../text/patch.ts';
import { sessionIn } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { answererAtTerminal } from './ask-at-terminal.ts';

const never = new AbortController().signal;
const runOf = (kind: RunInput['kind'], lead: string | null) =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- the parts of a run that decide who is asked
  ({ input: { kind, lead: lead === null ? null : { provider: lead } } }) as unknown as OpenedRun;
const pair = runOf('workflow', 'claude_code');
type Asked = AskedQuestion['question'];

interface How {
  readonly columns?: number;
  readonly color?: boolean;
  readonly signal?: AbortSignal;
}

/** Puts the questions to a person who types these lines; returns the answers and everything that was shown. */
async function answer(
  questions: readonly Asked[],
  person: readonly (readonly [shown: string, keys: string])[],
  { columns = 80, color = false, signal = never }: How = {},
) {
  const held: string[] = [];
  const terminal = createTerminal(person, {
    columns,
    screen: { movesCursor: false, color: { out: !color, err: color } },
  });
  const { session } = sessionIn({ root: '/', env: {} }, terminal.how);
  const answerer = answererAtTerminal(session, pair, () => {
    held.push('held');
    return () => void held.push('released');
  });
  if (answerer === null) throw new Error('no person is asked');
  const answers = await Promise.all(
    questions.map((question, index) => answerer({ name: `gate/${index + 1}`, question, signal })),
  );
  return { answers: answers.map(({ value, by }) => [value, by]), shown: terminal.written(), held };
}

const accept = (value: string) => value;
const approval = (text: string) => approvalQuestion('design', text, accept);
const choices = '  1. approve\n  2. revise: say what to change\n  3. stop\n';

test.each([
  ['workflow', 'claude_code', true],
  ['workflow', 'user', true],
  ['workflow', 'caller', false],
  ['fix', 'claude_code', true],
  ['fix', 'caller', false],
  ['consult', 'user', true],
  ['consult', 'claude_code', false],
  ['consult', null, false],
  ['review', 'claude_code', false],
  ['review', null, false],
] as const)('a %s led by %s asks the person: %s', (kind, lead, asks) => {
  const { session } = sessionIn({ root: '/', env: {} });
  expect(answererAtTerminal(session, runOf(kind, lead), () => () => undefined) !== null).toBe(asks);
});

test.each([
  ['1\n', 'approve'],
  ['3\n', 'stop'],
])('a gate is printed without its decision, which is the prompt: %j', async (keys, value) => {
  const asked = approval('# The design\n\nIn *src*.\n\n## Do you approve?\n');
  expect(await answer([asked], [['1-3: ', keys]])).toEqual({
    answers: [[value, 'user']],
    shown: `\nThe design\n\nIn src.\n\nDo you approve?\n${choices}1-3: `,
    held: ['held', 'released'],
  });
});

test('a revision asks what to change', async () => {
  const person = [
    ['1-3: ', '2\n'],
    ['What should change?: ', 'Use decimals.\n'],
  ] as const;
  expect(await answer([approval('Ready.\n\nDo you approve?')], person)).toMatchObject({
    answers: [['revise: Use decimals.', 'user']],
    shown: `\nReady.\n\nDo you approve?\n${choices}1-3: What should change?: `,
  });
});

test('only the decision at the end is left to the prompt, and a text is as wide as the terminal', async () => {
  const { shown } = await answer([approval('Do you approve? Think before.')], [['1-3: ', '1\n']], {
    columns: 20,
    color: true,
  });
  expect(shown).toBe(`\nDo you approve?\nThink before.\n\nDo you approve?\n${choices}1-3: `);
  const { shown: bold } = await answer([approval('**Now**')], [['1-3: ', '1\n']], { color: true });
  expect(bold.split('\n', 3)).toEqual(['', '\u001b[1mNow\u001b[22m', '']);
  const { shown: bare } = await answer([approval('**Now**')], [['1-3: ', '1\n']]);
  expect(bare).toMatch(/^\nNow\n\n/);
});

test.each([
  ['1\n', 'apply'],
  ['2\n', 'leave'],
])('the changed files keep their lines, and are applied or left: %j', async (keys, value) => {
  const text = 'a.js (added)\nb.js (added)\n\nApply these changes to your own files?';
  const asked = 'Apply these changes to your own files?\n  1. apply\n  2. leave: do not change your files\n';
  expect(await answer([applyQuestion(text)], [['1-2: ', keys]])).toMatchObject({
    answers: [[value, 'user']],
    shown: `\na.js (added)\nb.js (added)\n\n${asked}1-2: `,
  });
  const wrapped = await answer([approval('a.js (added)\nb.js (added)')], [['1-3: ', '1\n']]);
  expect(wrapped.shown).toMatch(/^\na\.js \(added\) b\.js \(added\)\n\n/);
});

test('a long patch is folded, and shown as a whole once', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `+line ${index + 1}`);
  const text = `One file.\n\n${renderPatch(lines.join('\n'), 'it')}\n\nApply these changes to your own files?`;
  const { answers, shown } = await answer(
    [applyQuestion(text)],
    [
      ['1-3: ', '3\n'],
      ['1-2: ', '2\n'],
    ],
  );
  expect(answers).toEqual([['leave', 'user']]);
  const asked = 'Apply these changes to your own files?\n  1. apply\n  2. leave: do not change your files\n';
  const patch = (count: number) =>
    lines
      .slice(0, count)
      .map((line) => `  ${line}\n`)
      .join('');
  expect(shown).toBe(
    [
      `\nOne file.\n\n${patch(29)}  … 31 more lines\n\n`,
      `${asked}  3. show the whole patch\n1-3: `,
      `\nOne file.\n\n${patch(60)}\n`,
      `${asked}1-2: `,
    ].join(''),
  );
});

test('the questions of a clarification are asked one by one, and an empty answer is left to the lead', async () => {
  const asked = {
    kind: 'clarification',
    text: '1. Which\u001b version?\n   Of two.\n2. Who uses it?\n',
    schema: { type: 'string' },
  } as const;
  const person = [
    ['1 of 2: ', '  The first. \n'],
    ['2 of 2: ', '  \n'],
  ] as const;
  expect(await answer([asked], person)).toEqual({
    answers: [
      [
        expect.stringMatching(
          /^1\. Which.* version\?\s+Of two\.\n {3}Answer: The first\.\n2\. Who uses it\?\n {3}Answer: decide yourself$/,
        ),
        'user',
      ],
    ],
    shown:
      '1 of 2: Which␛ version? Of two. (empty: the lead decides): 2 of 2: Who uses it? (empty: the lead decides): ',
    held: ['held', 'released'],
  });
});

test('a request for context takes several lines', async () => {
  const asked = reverseQuestion({ tag: '[CONSULT:CLAUDE:CONTEXT]', text: 'Where is it?' });
  const { answers, shown } = await answer([asked], [[': ', 'In src.\nAnd in test.\n\n']]);
  expect(answers).toEqual([[{ CONTEXT: 'In src.\nAnd in test.' }, 'user']]);
  expect(shown).toMatch(/^\n[^]*\n\nWhere is it\?\n\nYour answer; an empty line ends it\n: : : $/);
});

test('a request to verify takes a verdict and its reason', async () => {
  const asked = reverseQuestion({ tag: '[CONSULT:CLAUDE:VERIFICATION]', text: 'Is it so?' });
  const person = [
    ['1-3: ', '3\n'],
    ['The reason: ', 'It is not.\n'],
  ] as const;
  const { answers, shown } = await answer([asked], person);
  expect(answers).toEqual([[{ VERDICT: 'reject', REASON: 'It is not.' }, 'user']]);
  expect(shown).toMatch(
    /\n\nIs it so\?\n\nYour verdict\n {2}1\. approve\n {2}2\. revise\n {2}3\. reject\n1-3: The reason: $/,
  );
});

test('an answer that does not fit is refused with its reason, and the question is asked again', async () => {
  const asked = { kind: 'gate', text: 'Why?', schema: { type: 'string', pattern: '^so$' } } as const;
  const fitting = { ...asked, schema: { ...asked.schema, description: 'so' } };
  const text = 'Your answer; an empty line ends it\n: : ';
  const { answers, shown } = await answer(
    [fitting],
    [
      ['Your answer; an empty line ends it\n: ', '\u001b[1mno\n\n'],
      ['Your answer; an empty line ends it\n: ', ' \n \n'],
      ['Your answer; an empty line ends it\n: ', 'so\n\n'],
    ],
  );
  expect(answers).toEqual([['so', 'user']]);
  expect(shown).toBe(
    [
      `\nWhy?\n\n${text}`,
      '"\\u001b[1mno" is not an answer to gate/1; write so\n',
      `${text}the answer is empty; write it again\n`,
      text,
    ].join(''),
  );
});

test('questions that are asked at the same time are asked one after the other', async () => {
  const { answers, shown, held } = await answer(
    [approval('One?'), approval('Two?')],
    [
      ['1-3: ', '1\n'],
      ['1-3: ', '3\n'],
    ],
  );
  expect([answers, held]).toEqual([
    [
      ['approve', 'user'],
      ['stop', 'user'],
    ],
    ['held', 'released', 'held', 'released'],
  ]);
  const asked = `Do you approve?\n${choices}1-3: `;
  expect(shown).toBe(`\nOne?\n\n${asked}\nTwo?\n\n${asked}`);
});

test('an interrupted run keeps its question open; another fault is that of the answer', async () => {
  const stop = new AbortController();
  const settled = vi.fn<() => void>();
  const terminal = createTerminal([], { screen: { movesCursor: false } });
  const { session } = sessionIn({ root: '/', env: {} }, terminal.how);
  const released = vi.fn<() => void>();
  const answerer = answererAtTerminal(session, pair, () => released);
  const ask = (signal: AbortSignal) => answerer?.({ name: 'gate', question: approval('One?'), signal });
  void ask(stop.signal)?.then(settled, settled);
  await vi.waitUntil(() => terminal.written().endsWith('1-3: '), { interval: 1 });
  stop.abort();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect([settled.mock.calls, released.mock.calls]).toEqual([[], []]);

  const broken = answererAtTerminal(
    { ...session, err: () => failing() },
    pair,
    () => released,
  )?.({ name: 'gate', question: approval('One?'), signal: never });
  await expect(broken).rejects.toThrow('no terminal');
  expect(released).toHaveBeenCalledTimes(1);
});

function failing(): never {
  throw new Error('no terminal');
}
