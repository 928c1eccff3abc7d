/** Reads the user's inputs at a terminal, with a line editor, a menu of completions, and a search of earlier inputs. */
import { createInterface, emitKeypressEvents, type Key } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Paint } from '../../text/paint.ts';
import { searchHistory, type Completions } from './chat-completion.ts';
import { goesOn, type ChatInput } from './chat-input.ts';
import { createInputMenu, noMenu } from './input-menu.ts';
import { createPasteFilter, foldPaste, lineMark, pasteOff, pasteOn, unfoldPaste } from './paste.ts';
import type { Session } from '../session.ts';
import { watchKeys, withKeys } from './watch-keys.ts';

export interface EditorOptions {
  /** Returns the completions after this text. */
  readonly complete: (line: string) => Completions;
  /** Calls back when there are more completions. */
  readonly onMore: (refresh: () => void) => void;
  readonly paint: Paint;
}

/** Holds the terminal only while it reads: in between, Ctrl-C is a signal and prompts can be shown. */
export function createEditedInput(
  { stdin, out, signal, screen }: Pick<Session, 'stdin' | 'out' | 'signal' | 'screen'>,
  { complete, onMore, paint }: EditorOptions,
): ChatInput {
  const typedAhead: string[] = [];
  let begun = '';
  /** Newest first. */
  let history: readonly string[] = [];

  function tellTerminal(sequence: string): void {
    if (screen.movesCursor) out(sequence);
  }

  function readLine(prompt: string): Promise<string | null> {
    const ahead = typedAhead.shift();
    if (ahead !== undefined) {
      out(`${prompt}${ahead}\n`);
      return Promise.resolve(ahead);
    }
    const keys = openKeys(stdin);
    const editor = createInterface({
      input: keys.forEditor,
      output: process.stdout,
      terminal: true,
      history: [...history],
      historySize: 500,
      removeHistoryDuplicates: true,
      prompt,
    });
    const search = (line: string) => searchHistory(line, history);
    const menu = screen.movesCursor
      ? createInputMenu({ editor, prompt, output: process.stdout, paint, complete, search })
      : noMenu;
    let isClosed = false;
    onMore(() => {
      if (!isClosed) menu.refresh();
    });
    keys.onKey((text, key) => {
      if (isClosed) return;
      if (!menu.before(key)) {
        if (key.meta === true && isEnter(key)) editor.write(lineMark);
        else keys.forEditor.emit('keypress', text, key);
      }
      if (!isClosed) menu.after(key);
    });
    return new Promise((resolve) => {
      const lines: string[] = [];
      let asked = false;
      editor.on('line', (line) => {
        // A terminal may send several lines at once: keep them all.
        if (lines.push(line) === 1) setImmediate(() => editor.close());
      });
      editor.on('SIGINT', () => {
        if (editor.line !== '') {
          clear();
        } else if (asked) {
          editor.close();
          return;
        } else {
          out('\n(press Ctrl-C again, or Ctrl-D, to exit)\n');
          asked = true;
        }
        editor.prompt();
      });
      editor.on('history', (now) => (history = [...now]));
      editor.once('close', () => {
        isClosed = true;
        menu.close();
        signal.removeEventListener('abort', leave);
        begun = lines.length > 0 ? editor.line : '';
        keys.release();
        tellTerminal(pasteOff);
        const [first, ...more] = lines;
        typedAhead.push(...more);
        if (first === undefined) out('\n');
        resolve(first ?? null);
      });
      const leave = (): void => editor.close();
      signal.addEventListener('abort', leave, { once: true });
      tellTerminal(pasteOn);
      editor.prompt();
      if (begun !== '') editor.write(begun);
      if (signal.aborted) leave();

      function clear(): void {
        editor.write(null, { ctrl: true, name: 'e' });
        editor.write(null, { ctrl: true, name: 'u' });
      }
    });
  }

  return {
    async read(status = null) {
      let input = '';
      if (status !== null && typedAhead.length === 0) out(`${paint.dim(status)}\n`);
      for (let prompt = '> '; ; prompt = '… ') {
        const line = await readLine(prompt);
        if (line === null) return null;
        input += unfoldPaste(line.replace(goesOn, ''));
        if (!goesOn.test(line)) return input;
        input += '\n';
      }
    },
    recall(said) {
      history = said.map(foldPaste);
    },
    watch: (stop) =>
      watchKeys(stdin, {
        stop,
        typed(keys) {
          const lines = withKeys(begun, keys).split(/\r\n?|\n/);
          begun = lines.pop() ?? '';
          typedAhead.push(...lines);
        },
      }),
    close: () => stdin.pause(),
  };
}

function isEnter({ name }: Key): boolean {
  return name === 'return' || name === 'enter';
}

/** Decodes the keys of standard input, without the marks of pasted text. The editor gets those that are emitted on its input. */
function openKeys(stdin: Session['stdin']) {
  const decoder = new StringDecoder('utf8');
  const paste = createPasteFilter();
  const typed = new PassThrough();
  const onData = (chunk: Buffer): void => void typed.write(paste.push(decoder.write(chunk)));
  const onEnd = (): void => void forEditor.end();
  const forEditor = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => stdin.setRawMode(raw),
  });
  emitKeypressEvents(typed);
  stdin.on('data', onData);
  stdin.once('end', onEnd);
  stdin.resume();
  return {
    forEditor,
    onKey: (take: (text: string | undefined, key: Key) => void) => void typed.on('keypress', take),
    release() {
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      stdin.pause();
    },
  };
}
