/** Questions at both kinds of terminal: one that moves its cursor, and one that prints lines and nothing else. */
import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTerminal } from '../terminal.test-helper.ts';
import { orInterrupt } from './interruptible-prompt.ts';
import { askOneLine, askSeveralLines, chooseByLine } from './line-prompts.ts';
import { askChoice, askLine, askText, offerChoice, type PromptPlace } from './prompts.ts';

const choices = [
  { value: 'a', label: 'first' },
  { value: 'b', label: 'second' },
] as const;
const soon = { interval: 1 };
const never = new AbortController().signal;

function placeOf(movesCursor: boolean, signal: AbortSignal = never): PromptPlace {
  const none = { out: false, err: false };
  return { screen: { columns: 80, color: none, interactive: { out: true, err: true }, movesCursor }, signal };
}

/** The text of a terminal that moves its cursor, at the end of a question. */
const lastShown = (shown: string) => shown.slice(shown.lastIndexOf('◇'));

test('a choice by lines is asked until a line is the number of one', async () => {
  const terminal = createTerminal([
    ['1-2: ', '\n'],
    ['1-2: ', '0\n'],
    ['1-2: ', '3\n'],
    ['1-2: ', '1x\n'],
    ['1-2: ', 'x1\n'],
    ['1-2: ', ' 2\t\n'],
  ]);
  expect(await askChoice('Which?', choices, placeOf(false))).toBe('b');
  expect(terminal.written()).toBe(`Which?\n  1. first\n  2. second\n${'1-2: '.repeat(6)}`);
});

test('a number with several digits is taken by lines', async () => {
  const labels = Array.from({ length: 12 }, (_, index) => ({ value: `v${index + 1}`, label: 'l' }));
  createTerminal([['1-12: ', '  11  \n']]);
  expect(await chooseByLine('Which?', labels, never)).toBe('v11');
});

test('lines that arrive together answer the next questions too', async () => {
  const terminal = createTerminal([['One: ', '1\n2\nthree\n']]);
  expect(await askOneLine('One', never)).toBe('1');
  expect(await chooseByLine('Two', choices, never)).toBe('b');
  expect(await askOneLine('Three', never)).toBe('three');
  expect(terminal.written()).toBe('One: Two\n  1. first\n  2. second\n1-2: Three: ');
});

test.each([
  ['One: ', () => askOneLine('One', never)],
  ['Two\n  1. first\n  2. second\n1-2: ', () => offerChoice('Two', choices, placeOf(false))],
  ['Three\n: ', () => askSeveralLines('Three', never)],
])('the end of the input cancels a question by lines: %j', async (written, ask) => {
  const terminal = createTerminal();
  terminal.how.stdin.push(null);
  expect(String(await ask())).toBe('Symbol(canceled)');
  expect(terminal.written()).toBe(written);
});

test('a signal cancels a question by lines, and an answered one no longer waits for it', async () => {
  createTerminal([['Answered: ', 'yes\n']]);
  const stop = new AbortController();
  expect(await askOneLine('Answered', stop.signal)).toBe('yes');
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  const asking = askOneLine('Open', stop.signal);
  setImmediate(() => stop.abort());
  expect(typeof (await asking)).toBe('symbol');
  expect(typeof (await askOneLine('Too late', stop.signal))).toBe('symbol');
});

test('an empty line ends a text by lines, but not before its first one', async () => {
  const terminal = createTerminal([
    [': ', '\n'],
    [': ', 'one\n'],
    [': ', ' two\n'],
    [': ', '  \n'],
  ]);
  expect(await askText('Your answer', placeOf(false))).toBe('one\n two'.padStart(9, '\n'));
  expect(terminal.written()).toBe('Your answer; an empty line ends it\n: : : : ');
});

test('the end of the input ends a text, and a signal cancels it', async () => {
  const terminal = createTerminal([
    [': ', 'one\n'],
    [': ', 'two\n'],
  ]);
  const asking = askSeveralLines('Text', never);
  await vi.waitUntil(() => terminal.written() === 'Text\n: : : ', soon);
  terminal.how.stdin.push(null);
  expect(await asking).toBe('one\ntwo');

  const other = createTerminal([[': ', 'one\n']]);
  const stop = new AbortController();
  const stopped = askSeveralLines('Text', stop.signal);
  await vi.waitUntil(() => other.written() === 'Text\n: : ', soon);
  stop.abort();
  expect(typeof (await stopped)).toBe('symbol');
});

test('a line says what an empty one means', async () => {
  const terminal = createTerminal([
    ['Why (empty: no reason): ', '\n'],
    ['Who: ', 'me\n'],
  ]);
  expect(await askLine('Why', placeOf(false), 'empty: no reason')).toBe('');
  expect(await askLine('Who', placeOf(false))).toBe('me');
  expect(terminal.written()).toBe('Why (empty: no reason): Who: ');
});

test('a terminal that moves its cursor asks for a choice, a line and a text', async () => {
  const chosen = createTerminal([['Enter confirms', '2']]);
  expect(await askChoice('Which?', choices, placeOf(true))).toBe('b');
  expect(lastShown(chosen.shown())).toBe('◇  Which?\n│  second\n');

  const line = createTerminal([['Why', 'so\r']]);
  expect(await askLine('Why', placeOf(true), 'empty: no reason')).toBe('so');
  expect(line.shown()).toContain('◆  Why\n│  empty: no reason\n');
  expect(lastShown(line.shown())).toBe('◇  Why\n│  so\n');

  const bare = createTerminal([['Why', '\r']]);
  expect(await askLine('Why', placeOf(true))).toBe('');
  expect(bare.shown()).toContain('◆  Why\n│  _\n');

  const text = createTerminal([['Your answer', 'one\rtwo\r\r']]);
  expect(await askText('Your answer', placeOf(true))).toBe('one\ntwo');
  expect(lastShown(text.shown())).toBe('◇  Your answer; an empty line ends it\n│  one\n│  two\n');
});

test('a canceled question is an interrupt of the process, whose signal it waits for', async () => {
  const stop = new AbortController();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => {
    kill.mockRestore();
    vi.useRealTimers();
  });
  const reason = new Error('SIGINT');
  const asking = orInterrupt(Promise.resolve(Symbol('canceled')), stop.signal);
  await vi.waitUntil(() => kill.mock.calls.length > 0, soon);
  expect([kill.mock.calls, vi.getTimerCount()]).toEqual([[[process.pid, 'SIGINT']], 1]);
  stop.abort(reason);
  await expect(asking).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);

  const late = orInterrupt(Promise.resolve(Symbol('canceled')), AbortSignal.abort('no error'));
  await expect(late).rejects.toThrow(/^stopped$/);
  expect(kill.mock.calls).toHaveLength(1);
});

test.each([
  ['a choice by lines', false, (place: PromptPlace) => askChoice('Which?', choices, place)],
  ['a line by lines', false, (place: PromptPlace) => askLine('Why', place)],
  ['a text by lines', false, (place: PromptPlace) => askText('Why', place)],
  ['a choice', true, (place: PromptPlace) => askChoice('Which?', choices, place)],
  ['a line', true, (place: PromptPlace) => askLine('Why', place)],
  ['a text', true, (place: PromptPlace) => askText('Why', place)],
])('a signal rejects %s', async (_what, movesCursor, ask) => {
  createTerminal();
  const stop = new AbortController();
  const asking = ask(placeOf(movesCursor, stop.signal));
  setImmediate(() => stop.abort(new Error('SIGTERM')));
  await expect(asking).rejects.toThrow(/^SIGTERM$/);
});
