/** Numbered choices at a terminal that moves its cursor; `^` stands for the beginning of a control sequence. */
import { expect, test } from 'vitest';
import { createTerminal } from '../terminal.test-helper.ts';
import { choose } from './choose.ts';

const choices = [
  { value: 'a', label: 'first' },
  { value: 'b', label: 'second, which is long' },
] as const;

interface Asked {
  readonly labels?: readonly string[];
  readonly message?: string;
  readonly columns?: number;
  readonly color?: boolean;
  readonly signal?: AbortSignal;
}

/** Asks a person who types these keys as soon as the question is there; returns the choice and what was written. */
async function ask(keys: string, { labels, message = 'Which?', columns = 24, ...more }: Asked = {}) {
  const { color = false, signal = new AbortController().signal } = more;
  const terminal = createTerminal([[message.slice(0, 5), keys]]);
  const screen = {
    columns,
    color: { out: !color, err: color },
    interactive: { out: true, err: true },
    movesCursor: true,
  };
  const offered = labels?.map((label) => ({ value: label, label })) ?? choices;
  const value = await choose<string>(message, offered, { screen, signal });
  const [first = '', last = ''] = terminal.written().replaceAll('\u001b[', '^').split('^J');
  return { value, first: first.replace(/^\^\?25l/, '').replace(/\^999D.*$/, ''), last };
}

test('each choice has its number, and a long one is broken below its beginning', async () => {
  expect(await ask('2', { color: true })).toEqual({
    value: 'b',
    first: [
      '^2m│^22m',
      '^36m◆^39m  Which?',
      '^36m│^39m  ^32m●^39m 1. first',
      '^36m│^39m  ^2m○^22m 2. ^2msecond, which^22m',
      '^36m│^39m       ^2mis long^22m',
      '^36m│^39m  ^2m1-2 choose, ↑/↓^22m',
      '^36m│^39m  ^2mmove, Enter confirms^22m',
      '^36m└^39m',
    ].join('\n'),
    last: ['^32m◇^39m  Which?', '^2m│^22m  ^2msecond, which is^22m', '^2m│^22m  ^2mlong^22m', '^?25h'].join(
      '\n',
    ),
  });
});

test('a question that is cancelled strikes the choice under the cursor', async () => {
  const { value, last } = await ask('\u0003', { color: true });
  expect([typeof value, last]).toEqual(['symbol', '^31m■^39m  Which?\n^2m│^22m  ^9m^2mfirst^22m^29m\n^?25h']);
});

test('a long question is broken beside its bar, and only standard error decides about colors', async () => {
  const { first, last } = await ask('1', { message: 'Which of them is the one that you want?' });
  expect(first).toBe(
    [
      '│',
      '◆  Which of them is the',
      '│  one that you want?',
      '│  ● 1. first',
      '│  ○ 2. second, which',
      '│       is long',
      '│  1-2 choose, ↑/↓',
      '│  move, Enter confirms',
      '└',
    ].join('\n'),
  );
  expect(last).toMatch(/\n│ {2}first\n\^\?25h$/);
});

const labelled = (count: number) => Array.from({ length: count }, (_, index) => `label ${index + 1}`);

test('only the first nine have a number', async () => {
  const { value, first, last } = await ask('\u001b[A\r', { labels: labelled(10), columns: 80 });
  expect(value).toBe('label 10');
  expect(first.split('\n').slice(9, 14)).toEqual([
    '│  ○ 8. label 8',
    '│  ○ 9. label 9',
    '│  ○    label 10',
    '│  1-9 choose, ↑/↓ move, Enter confirms',
    '└',
  ]);
  expect(last).toContain('│  ●    label 10');
});

test('a key that is no number of a choice chooses nothing', async () => {
  expect((await ask('039x\r')).value).toBe('a');
  expect((await ask('9', { labels: labelled(10) })).value).toBe('label 9');
  expect((await ask('\u001b[B12')).value).toBe('a');
});

test('the list leaves room for the question and the help', async () => {
  const { first } = await ask('1', { labels: labelled(30), columns: 80 });
  expect(first.split('\n').length).toBeLessThanOrEqual(20);
  expect(first.split('\n').at(-3)).toContain('...');
});

test('a signal cancels the question, also before it is asked', async () => {
  const stop = new AbortController();
  const asking = ask('', { signal: stop.signal });
  setImmediate(() => stop.abort());
  expect(typeof (await asking).value).toBe('symbol');
  expect(typeof (await ask('', { signal: AbortSignal.abort() })).value).toBe('symbol');
});

test('Enter without any choice is no answer', async () => {
  const { value } = await ask('\r', { labels: [] });
  expect(String(value)).toBe('Symbol(nothing to choose)');
});
