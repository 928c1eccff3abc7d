/** The line editor of a conversation: keys in, the input and the screen out. */
import { expect, onTestFinished, test } from 'vitest';
import { createPaint } from '../../text/paint.ts';
import { sessionIn } from '../command.test-helper.ts';
import { createTerminal } from '../terminal.test-helper.ts';
import { createEditedInput } from './edited-input.ts';
import type { Completions } from './chat-completion.ts';

const names = ['/help', '/history', '/consult '];
const up = '\u001b[A';
const down = '\u001b[B';

function complete(line: string): Completions {
  const items = names
    .filter((name) => name.startsWith(line))
    .map((text) => ({ text, about: `about ${text}` }));
  return line.startsWith('/')
    ? { replaced: line, items, isMenu: true }
    : { replaced: '', items: [], isMenu: false };
}

function createDesk({ movesCursor = true, columns = 40 } = {}) {
  const terminal = createTerminal([], { columns, screen: { movesCursor } });
  const stop = new AbortController();
  const { session } = sessionIn({ root: '/', env: {} }, { ...terminal.how, signal: stop.signal });
  let more: (() => void) | null = null;
  const input = createEditedInput(session, {
    complete,
    onMore: (refresh) => (more = refresh),
    paint: createPaint(false),
  });
  return {
    ...terminal,
    input,
    stop,
    more: () => more?.(),
    /** Reads one input that these keys make. */
    async typed(...keys: readonly string[]) {
      const reading = input.read();
      for (const key of keys) {
        terminal.type(key);
        await new Promise(setImmediate);
      }
      return reading;
    },
  };
}

test.each([
  ['an input', ['hello', '\r'], 'hello'],
  ['several lines, each continued by a backslash', ['one\\', '\r', 'two', '\r'], 'one\ntwo'],
  ['a line that Alt+Enter breaks', ['one', '\u001b\r', 'two', '\r'], 'one\ntwo'],
  ['pasted lines, which send nothing', ['\u001b[200~one\ntwo\u001b[201~', '\r'], 'one\ntwo'],
  ['a whole name of the menu, taken by Tab', ['/c', '\t', 'x', '\r'], '/consult x'],
  ['the input as it is, though the menu is open', ['/h', '\r'], '/h'],
  ['the name of the menu that an arrow chose', ['/h', down, '\r', '\r'], '/history'],
  ['the last name, above the first', ['/', up, '\r', 'x', '\r'], '/consult x'],
  ['the first name after the last', ['/h', down, down, '\r', '\r'], '/help'],
  ['a line without Ctrl-U', ['wrong', '\u0015', 'right', '\r'], 'right'],
  ['a line that Ctrl-C cleared', ['wrong', '\u0003', 'right', '\r'], 'right'],
])('reads %s', async (_what, keys, input) => {
  expect(await createDesk().typed(...keys)).toBe(input);
});

test('the menu shows the names with what they do, cut to the width, and leaves nothing behind', async () => {
  const desk = createDesk({ columns: 24 });
  expect(await desk.typed('/h', '\r')).toBe('/h');
  expect(desk.shown()).toContain('› /help  about /help');
  expect(desk.shown()).toContain('  /history  about /h...');
  expect(desk.written()).toContain('\u001b[J');
});

test('names that arrive later are shown', async () => {
  const desk = createDesk();
  const reading = desk.input.read();
  desk.type('/n');
  await new Promise(setImmediate);
  expect(desk.shown()).not.toContain('/new');
  names.push('/new');
  onTestFinished(() => void names.pop());
  desk.more();
  expect(desk.shown()).toContain('› /new  about /new');
  desk.type('\r');
  await reading;
});

test('earlier inputs are found by Ctrl-R, and come back by the arrow', async () => {
  const desk = createDesk();
  desk.input.recall(['the newest', 'fix the total', 'the oldest']);
  expect(await desk.typed('\u0012', 'tot', '\r', '\r')).toBe('fix the total');
  expect(desk.shown()).toContain('earlier inputs: type to search, Ente...');
  desk.input.recall(['the newest', 'the oldest']);
  expect(await desk.typed(up, '\r')).toBe('the newest');
  expect(await desk.typed(up, up, '\r')).toBe('the oldest');
});

test('Ctrl-D and a second Ctrl-C end the conversation; the first one says so', async () => {
  expect(await createDesk().typed('\u0004')).toBe(null);
  const desk = createDesk();
  expect(await desk.typed('\u0003', '\u0003')).toBe(null);
  expect(desk.shown()).toContain('(press Ctrl-C again, or Ctrl-D, to exit)');
  const stopped = createDesk();
  const reading = stopped.input.read();
  stopped.stop.abort();
  expect(await reading).toBe(null);
});

test('lines that arrive together are inputs one after the other, and the rest stays typed', async () => {
  const desk = createDesk();
  expect(await desk.typed('one\rtwo\rthr')).toBe('one');
  expect(await desk.input.read('a status')).toBe('two');
  expect(desk.shown()).not.toContain('a status');
  expect(await desk.typed('ee', '\r')).toBe('three');
});

test('the status is above the prompt, and the terminal is left as it was', async () => {
  const desk = createDesk();
  const reading = desk.input.read('claude · $0.01');
  desk.type('x\r');
  await reading;
  expect(desk.shown()).toMatch(/^claude · \$0\.01\n> /);
  expect(desk.written()).toContain('\u001b[?2004h');
  expect(desk.written().lastIndexOf('\u001b[?2004l')).toBeGreaterThan(
    desk.written().lastIndexOf('\u001b[?2004h'),
  );
  expect(desk.raw).toEqual([true, false]);
});

test('a terminal that cannot move the cursor gets no menu and no sequences', async () => {
  const desk = createDesk({ movesCursor: false });
  expect(await desk.typed('/h', '\t', '\r')).toContain('/h');
  expect(desk.shown()).not.toContain('about');
  expect(desk.written()).not.toContain('\u001b[?2004h');
});

test('what was typed during an answer is the next input, and the rest of it stays typed', async () => {
  const desk = createDesk();
  const watched = desk.input.watch(() => undefined);
  desk.type('one\r\ntwo\nthr');
  await new Promise(setImmediate);
  watched?.end();
  expect(await desk.input.read()).toBe('one');
  expect(await desk.input.read()).toBe('two');
  expect(desk.shown()).toContain('> one\n');
  expect(await desk.typed('ee', '\r')).toBe('three');
});

test('Esc stops an answer', async () => {
  const desk = createDesk();
  let stops = 0;
  const watched = desk.input.watch(() => (stops += 1));
  desk.type('\u001b');
  await new Promise(setImmediate);
  watched?.end();
  expect(stops).toBe(1);
});

test('a prompt follows each line, and another one the lines after the first', async () => {
  const desk = createDesk({ movesCursor: false });
  await desk.typed('one\\', '\r', 'two', '\r');
  expect(desk.shown()).toMatch(/^> one\\\r\n… two\r\n$/);
});

test('Ctrl-C clears the line wherever the cursor is, and then counts from the beginning', async () => {
  const desk = createDesk();
  expect(await desk.typed('wrong', '\u0001', '\u0003', 'right', '\r')).toBe('right');
  expect(desk.shown()).not.toContain('press Ctrl-C again');
});

test('earlier inputs of several lines are one line with marks, and come back as they were', async () => {
  const desk = createDesk();
  desk.input.recall(['one\n\ttwo']);
  expect(await desk.typed(up, '\r')).toBe('one\n\ttwo');
  expect(desk.shown()).toContain('one⏎⇥two');
});

test('the input that was just sent is the newest', async () => {
  const desk = createDesk();
  desk.input.recall(['older']);
  await desk.typed('newer', '\r');
  expect(await desk.typed(up, '\r')).toBe('newer');
  expect(await desk.typed(up, up, '\r')).toBe('older');
});

test('an input that is stopped before it begins has none, and the keyboard is free', async () => {
  const desk = createDesk();
  desk.stop.abort();
  expect(await desk.input.read()).toBe(null);
  expect(desk.raw).toEqual([true, false]);
  expect(desk.how.stdin.listenerCount('data')).toBe(0);
  expect(desk.how.stdin.isPaused()).toBe(true);
});

test('the end of the keyboard is the end of the inputs', async () => {
  const desk = createDesk();
  const reading = desk.input.read();
  desk.how.stdin.emit('end');
  expect(await reading).toBe(null);
});

test('a closed input leaves the keyboard', () => {
  const desk = createDesk();
  desk.how.stdin.resume();
  desk.input.close();
  expect(desk.how.stdin.isPaused()).toBe(true);
});
