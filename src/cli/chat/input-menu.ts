/** A menu of completions below the line that the user edits. */
import type { Interface, Key } from 'node:readline';
import { cutToWidth, displayWidth } from '../../text/display-width.ts';
import { neutralise } from '../../text/neutralise.ts';
import type { Paint } from '../../text/paint.ts';
import { foldPaste } from './paste.ts';
import type { MenuItem, Completions } from './chat-completion.ts';

export interface InputMenuOptions {
  readonly editor: Interface;
  readonly prompt: string;
  readonly output: Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'write' | 'on' | 'off'>;
  readonly paint: Paint;
  readonly complete: (line: string) => Completions;
  /** Earlier inputs that fit the line. */
  readonly search: (line: string) => Completions;
}

export interface InputMenu {
  /** Returns true if the key was for the menu, and the editor must not see it. Removes the menu from the screen. */
  before(key: Key): boolean;
  /** Draws the menu for the line as the editor has it now. */
  after(key: Key): void;
  /** Draws it again because there are more completions now. */
  refresh(): void;
  close(): void;
}

type Mode = 'completing' | 'searching';

const none: Completions = { replaced: '', items: [], isMenu: false };

/** The menu of a terminal that cannot draw one. */
export const noMenu: InputMenu = {
  before: () => false,
  after: () => undefined,
  refresh: () => undefined,
  close: () => undefined,
};

export function createInputMenu(options: InputMenuOptions): InputMenu {
  const { editor, output, paint, complete, search } = options;
  let mode: Mode = 'completing';
  let offered = none;
  let selected = 0;
  /** True once the user moved in the menu: then Enter takes the selected line instead of sending the input. */
  let isMoved = false;
  let drawn = 0;

  const beforeCursor = (): string => editor.line.slice(0, editor.cursor);
  const isOpen = (): boolean => offered.items.length > 0;

  function offer(next: Completions): void {
    [offered, selected, isMoved] = [next, 0, false];
  }

  function end(): void {
    [mode, offered] = ['completing', none];
  }

  function take({ text }: MenuItem): void {
    const { replaced } = offered;
    const isWhole = mode === 'searching';
    end();
    if (isWhole) {
      editor.write(null, { ctrl: true, name: 'e' });
      editor.write(null, { ctrl: true, name: 'u' });
    } else for (const _ of replaced) editor.write(null, { name: 'backspace' });
    editor.write(foldPaste(text));
  }

  function move(step: number): void {
    const { length } = offered.items;
    selected = (selected + step + length) % length;
    isMoved = true;
  }

  /** Rows of the input below the cursor. */
  function rowsBelow(): number {
    const columns = Math.max(1, output.columns);
    const rows = Math.floor(displayWidth(options.prompt + editor.line) / columns);
    return Math.max(0, rows - editor.getCursorPos().rows);
  }

  function erase(): void {
    if (drawn === 0) return;
    const down = rowsBelow() + 1;
    output.write(`\u001b[${down}B\r\u001b[J\u001b[${down}A\u001b[${editor.getCursorPos().cols + 1}G`);
    drawn = 0;
  }

  function draw(): void {
    const lines = menuLines();
    drawn = lines.length;
    if (drawn === 0) return;
    const below = rowsBelow();
    const down = below > 0 ? `\u001b[${below}B` : '';
    const text = lines.map((line) => `\r\n\u001b[2K${line}`).join('');
    output.write(`${down}${text}\u001b[${below + drawn}A\u001b[${editor.getCursorPos().cols + 1}G`);
  }

  function menuLines(): readonly string[] {
    const width = Math.max(1, output.columns - 1);
    // The input itself must stay on the screen.
    const room = Math.max(0, Math.min(offered.items.length, output.rows - 3));
    const head = mode === 'searching' ? [paint.dim(cutToWidth(searchHelp, width))] : [];
    return [...head, ...offered.items.slice(0, room).map((item, index) => itemLine(item, index, width))];
  }

  function itemLine({ text, about }: MenuItem, index: number, width: number): string {
    const mark = index === selected ? '› ' : '  ';
    const name = cutToWidth(mark + neutralise(foldPaste(text.trimEnd())), width);
    const left = width - displayWidth(name) - 2;
    const rest = about === '' || left < 8 ? '' : `  ${cutToWidth(about, left)}`;
    return `${index === selected ? paint.cyan(name) : name}${paint.dim(rest)}`;
  }

  function takeKey(key: Key): boolean {
    if (key.ctrl === true && key.name === 'r') {
      if (mode === 'searching' && isOpen()) move(1);
      else [mode, isMoved] = ['searching', false];
      return true;
    }
    if (key.ctrl === true || key.meta === true) return key.name === 'escape' && leave();
    const chosen = offered.items[selected];
    switch (key.name) {
      case 'escape':
        return leave();
      case 'up':
      case 'down':
        if (!isOpen()) return false;
        move(key.name === 'up' ? -1 : 1);
        return true;
      case 'tab':
        completeNow();
        return true;
      case 'return':
      case 'enter':
        if (chosen === undefined || !(isMoved || mode === 'searching')) return false;
        take(chosen);
        return true;
      default:
        return false;
    }
  }

  /** Returns true: Esc has no other meaning while the user edits. */
  function leave(): boolean {
    end();
    return true;
  }

  /** Takes the selected completion; several that were not shown yet are shown first. */
  function completeNow(): void {
    if (!isOpen()) offer(complete(beforeCursor()));
    else return takeSelected();
    if (offered.items.length === 1) takeSelected();
  }

  function takeSelected(): void {
    const chosen = offered.items[selected];
    if (chosen !== undefined) take(chosen);
  }

  /** The editor has drawn its line again, and removed everything below it. */
  function onResize(): void {
    drawn = 0;
    draw();
  }

  output.on('resize', onResize);
  return {
    before(key) {
      erase();
      return takeKey(key);
    },
    after(key) {
      if (mode === 'searching') {
        if (!isMoved) offer(search(editor.line));
      } else if (isOpen() && isSteering(key)) {
        // The menu stays as it is.
      } else if (isEdit(key)) {
        const next = complete(beforeCursor());
        offer(next.isMenu ? next : none);
      } else offered = none;
      draw();
    },
    refresh() {
      erase();
      const next = complete(beforeCursor());
      if (mode === 'completing' && next.isMenu) offer(next);
      draw();
    },
    close() {
      output.off('resize', onResize);
      erase();
      end();
    },
  };
}

const searchHelp = 'earlier inputs: type to search, Enter takes one, Esc closes';

function isSteering({ name }: Key): boolean {
  return name === 'up' || name === 'down' || name === 'tab';
}

/** Earlier inputs and movements of the cursor open no menu. */
function isEdit({ name, ctrl, sequence }: Key): boolean {
  if (ctrl === true) return false;
  return name === 'backspace' || name === 'tab' || (sequence !== undefined && !/\p{Cc}/u.test(sequence));
}
