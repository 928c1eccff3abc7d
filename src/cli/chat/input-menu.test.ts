/** The menu below a line that a test edits, and everything that the menu writes. */
import type { Interface, Key } from 'node:readline';
import { expect, test } from 'vitest';
import { createPaint } from '../../text/paint.ts';
import type { Completions } from './chat-completion.ts';
import { createInputMenu, noMenu } from './input-menu.ts';

const up: Key = { name: 'up' };
const down: Key = { name: 'down' };
const tab: Key = { name: 'tab' };
const enter: Key = { name: 'return' };
const escape: Key = { name: 'escape' };
const backspace: Key = { name: 'backspace' };
const ctrlR: Key = { name: 'r', ctrl: true, sequence: '\u0012' };
const letter = (sequence: string): Key => ({ name: sequence, sequence });

interface MenuHow {
  readonly line?: string;
  readonly cursor?: number;
  readonly columns?: number;
  readonly rows?: number;
  readonly color?: boolean;
  readonly complete?: (line: string) => Completions;
}

const menuOf = (...texts: readonly string[]): Completions => ({
  replaced: '/h',
  items: texts.map((text) => ({ text, about: '' })),
  isMenu: true,
});
const none: Completions = { replaced: '', items: [], isMenu: false };

/** `wrote`: what the menu wrote since the last look, without the sequences that put the cursor back in its column. */
function createMenu({ line = '/h', cursor, columns = 40, rows = 24, color = false, complete }: MenuHow = {}) {
  const written: string[] = [];
  const typed: unknown[] = [];
  const state = {
    line,
    cursor: cursor ?? line.length,
    complete: complete ?? (() => menuOf('/help ', '/history ')),
  };
  const listeners: (() => void)[] = [];
  const editor = {
    get line() {
      return state.line;
    },
    get cursor() {
      return state.cursor;
    },
    getCursorPos: () => ({
      rows: Math.floor((state.cursor + 2) / columns),
      cols: (state.cursor + 2) % columns,
    }),
    write: (...args: readonly unknown[]) => void typed.push(args),
  };
  const output = {
    columns,
    rows,
    write: (text: string) => written.push(text) > 0,
    on: (_event: string, listener: () => void) => void listeners.push(listener),
    off: (_event: string, listener: () => void) => void listeners.splice(listeners.indexOf(listener), 1),
  };
  const searched: string[] = [];
  const menu = createInputMenu({
    // oxlint-disable-next-line no-unsafe-type-assertion -- what a menu uses of an editor
    editor: editor as unknown as Interface,
    prompt: '> ',
    // oxlint-disable-next-line no-unsafe-type-assertion -- what a menu uses of an output
    output: output as never,
    paint: createPaint(color),
    complete: (begun) => state.complete(begun),
    search(begun) {
      searched.push(begun);
      return {
        replaced: begun,
        items: [
          { text: 'one\ntwo ', about: '' },
          { text: 'three', about: '' },
        ],
        isMenu: true,
      };
    },
  });
  return {
    menu,
    state,
    typed,
    searched,
    listeners,
    wrote: () => written.splice(0).join('|'),
    /** Types keys; returns those that the menu left to the editor. */
    press: (...keys: readonly Key[]) =>
      keys.flatMap((key) => {
        const isTaken = menu.before(key);
        menu.after(key);
        return isTaken ? [] : [key.name];
      }),
  };
}

/** The text that a menu of these lines writes below a line whose cursor is in this column. */
const drawn = (lines: readonly string[], column = 5): string =>
  `${lines.map((line) => `\r\n\u001b[2K${line}`).join('')}\u001b[${lines.length}A\u001b[${column}G`;
const erased = '\u001b[1B\r\u001b[J\u001b[1A\u001b[5G';

test('typing opens the menu, whose first line is selected, and the cursor returns', () => {
  const { press, wrote } = createMenu();
  expect(press(letter('h'))).toEqual(['h']);
  expect(wrote()).toBe(drawn(['› /help', '  /history']));
});

test('the next key removes the menu, and draws it for the new line', () => {
  const { press, wrote, state } = createMenu();
  press(letter('h'));
  wrote();
  state.complete = () => menuOf('/help ');
  press(letter('e'));
  expect(wrote()).toBe(`${erased}|${drawn(['› /help'])}`);
  state.complete = () => none;
  press(letter('x'));
  expect(wrote()).toBe(erased);
  press(letter('y'));
  expect(wrote()).toBe('');
});

test('completions that are no menu are not shown while the user types', () => {
  const { press, wrote } = createMenu({ complete: () => ({ ...menuOf('a'), isMenu: false }) });
  press(letter('h'));
  expect(wrote()).toBe('');
});

test('the completions are those of the text before the cursor', () => {
  const asked: string[] = [];
  const { press, menu } = createMenu({
    line: 'abc',
    cursor: 2,
    complete(line) {
      asked.push(line);
      return none;
    },
  });
  press(letter('b'), tab);
  menu.refresh();
  expect(asked).toEqual(['ab', 'ab', 'ab', 'ab']);
});

test('the arrows move around the menu, and Enter then takes the line', () => {
  const { press, wrote, typed } = createMenu();
  press(letter('h'));
  expect(press(down)).toEqual([]);
  expect(wrote()).toContain(drawn(['  /help', '› /history']));
  press(down);
  expect(wrote()).toContain(drawn(['› /help', '  /history']));
  press(up);
  expect(wrote()).toContain(drawn(['  /help', '› /history']));
  expect(press(enter)).toEqual([]);
  const erase = [null, { name: 'backspace' }];
  expect(typed).toEqual([erase, erase, ['/history ']]);
  expect(wrote()).toBe(erased);
});

test('Enter sends the input if the user did not move, and without a menu the arrows are the editor’s', () => {
  const { press, typed } = createMenu();
  press(letter('h'));
  expect(press(enter, { name: 'enter' })).toEqual(['return', 'enter']);
  expect(typed).toEqual([]);
  expect(press(up, down, letter('x'))).toEqual(['up', 'down', 'x']);
});

test('a new letter begins at the first line again', () => {
  const { press, typed, wrote } = createMenu();
  press(letter('h'), down);
  wrote();
  press(letter('e'));
  expect(wrote()).toContain(drawn(['› /help', '  /history']));
  expect(press(enter)).toEqual(['return']);
  expect(typed).toEqual([]);
});

test('Tab takes the selected line of a menu', () => {
  const { press, typed } = createMenu();
  press(letter('h'), down, tab);
  expect(typed.at(-1)).toEqual(['/history ']);
});

test('Tab takes a single completion, and shows several', () => {
  const single = createMenu({ complete: () => ({ ...menuOf('a b'), isMenu: false }) });
  expect(single.press(tab)).toEqual([]);
  expect(single.typed.at(-1)).toEqual(['a b']);
  const several = createMenu({ complete: () => ({ ...menuOf('a', 'b'), isMenu: false }) });
  several.menu.before(tab);
  several.menu.after(tab);
  expect(several.typed).toEqual([]);
  expect(several.wrote()).toBe(drawn(['› a', '  b']));
});

test('Esc closes the menu, and is never the editor’s', () => {
  const { press, wrote } = createMenu();
  press(letter('h'));
  wrote();
  expect(press(escape)).toEqual([]);
  expect(wrote()).toBe(erased);
  expect(press({ name: 'escape', meta: true })).toEqual([]);
});

test('other control keys are the editor’s, and close the menu', () => {
  for (const key of [
    { name: 'a', ctrl: true, sequence: 'a' },
    { name: 'b', meta: true, sequence: '\u001bb' },
    { name: 'left', sequence: '\u001b[D' },
  ]) {
    const { press, wrote } = createMenu();
    press(letter('h'));
    wrote();
    expect(press(key)).toEqual([key.name]);
    expect(wrote()).toBe(erased);
  }
});

test('a backspace and a space are edits', () => {
  for (const key of [backspace, { sequence: ' ' }]) {
    const { press, wrote } = createMenu();
    press(key);
    expect(wrote()).toBe(drawn(['› /help', '  /history']));
  }
});

const help = 'earlier inputs: type to search, Enter takes one, Esc closes';

test('Ctrl-R searches earlier inputs, from which Enter takes one instead of the whole line', () => {
  const { press, wrote, typed, searched } = createMenu({ columns: 80, line: 'abc', cursor: 1 });
  expect(press(ctrlR)).toEqual([]);
  expect(wrote()).toBe(drawn([help, '› one⏎two', '  three'], 4));
  press(letter('x'));
  expect(searched).toEqual(['abc', 'abc']);
  expect(press(enter)).toEqual([]);
  expect(typed).toEqual([[null, { ctrl: true, name: 'e' }], [null, { ctrl: true, name: 'u' }], ['one⏎two ']]);
  press(letter('y'));
  expect(searched).toHaveLength(2);
});

test('Ctrl-R again is the next one, and the search stays as it is', () => {
  const { press, wrote, searched, typed } = createMenu({ columns: 80 });
  press(ctrlR);
  wrote();
  press(ctrlR);
  expect(wrote()).toContain(drawn([help, '  one⏎two', '› three']));
  expect(searched).toHaveLength(1);
  press(enter);
  expect(typed.at(-1)).toEqual(['three']);
});

test('Esc ends the search', () => {
  const { press, wrote } = createMenu();
  press(ctrlR, escape);
  wrote();
  press(letter('h'));
  expect(wrote()).toBe(drawn(['› /help', '  /history']));
});

const item = (text: string, about: string) => ({ text, about });

test('a line is cut to the width; what it does is shown if there is room', () => {
  const items = [
    item('/help ', 'lists the commands'),
    item('/a-name-that-is-long', 'x'),
    item('b\u001b[2J', ''),
  ];
  const { press, wrote } = createMenu({
    columns: 24,
    complete: () => ({ replaced: '', items, isMenu: true }),
  });
  press(letter('h'));
  expect(wrote()).toBe(drawn(['› /help  lists the c...', '  /a-name-that-is-long', '  b[2J']));
  const exact = createMenu({ columns: 18, complete: () => ({ replaced: '', items, isMenu: true }) });
  exact.press(letter('h'));
  expect(exact.wrote()).toContain('› /help  lists...');
  const narrow = createMenu({ columns: 17, complete: () => ({ replaced: '', items, isMenu: true }) });
  narrow.press(letter('h'));
  expect(narrow.wrote()).toContain('› /help\r\n');
});

test('the selected name is colored, and the rest is dim', () => {
  const items = ['a', 'b'].map((text) => ({ text, about: `about ${text}` }));
  const { press, wrote } = createMenu({
    color: true,
    complete: () => ({ replaced: '', items, isMenu: true }),
  });
  press(letter('h'));
  expect(wrote()).toBe(
    drawn(['\u001b[36m› a\u001b[39m\u001b[2m  about a\u001b[22m', '  b\u001b[2m  about b\u001b[22m']),
  );
});

test('the input stays on a low screen', () => {
  const complete = menuOf('a', 'b', 'c');
  const { press, wrote } = createMenu({ rows: 5, complete: () => complete });
  press(letter('h'));
  expect(wrote()).toBe(drawn(['› a', '  b']));
  const low = createMenu({ rows: 2, complete: () => complete });
  low.press(letter('h'));
  expect(low.wrote()).toBe('');
});

test('the menu is below an input of several rows, wherever the cursor is in it', () => {
  const { press, wrote } = createMenu({ line: 'x'.repeat(25), cursor: 3, columns: 10 });
  press(letter('x'));
  const lines = '\r\n\u001b[2K› /help\r\n\u001b[2K  /his...';
  expect(wrote()).toBe(`\u001b[2B${lines}\u001b[4A\u001b[6G`);
  press(escape);
  expect(wrote()).toBe('\u001b[3B\r\u001b[J\u001b[3A\u001b[6G');
});

test('completions that come later are drawn, but not into a search', () => {
  const { menu, press, wrote, state } = createMenu({ complete: () => none });
  press(letter('h'));
  state.complete = () => menuOf('/new ');
  menu.refresh();
  expect(wrote()).toBe(drawn(['› /new']));
  state.complete = () => ({ ...menuOf('/other '), isMenu: false });
  menu.refresh();
  expect(wrote()).toBe(`${erased}|${drawn(['› /new'])}`);
  press(ctrlR);
  wrote();
  state.complete = () => menuOf('/more ');
  menu.refresh();
  expect(wrote()).not.toContain('/more');
});

test('a screen of another size shows the menu again; a closed menu is removed and stays so', () => {
  const { menu, press, wrote, listeners } = createMenu();
  press(letter('h'));
  wrote();
  listeners.forEach((listener) => listener());
  expect(wrote()).toBe(drawn(['› /help', '  /history']));
  menu.close();
  expect(wrote()).toBe(erased);
  expect(listeners).toEqual([]);
});

test('a terminal without a menu leaves every key to the editor', () => {
  expect(noMenu.before(tab)).toBe(false);
  expect([noMenu.after({}), noMenu.refresh(), noMenu.close()]).toEqual([undefined, undefined, undefined]);
});
