/** Reads the user's inputs to `collab chat`, one after another: with a line editor at a terminal, otherwise by lines. */
import { createInterface } from 'node:readline';
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createPasteFilter, foldPaste, pasteOff, pasteOn, unfoldPaste } from './paste.ts';
import type { Session } from '../session.ts';

export interface ChatInput {
  /** Resolves with null at the end: end of input, Ctrl-D, Ctrl-C twice. */
  read(): Promise<string | null>;
  close(): void;
}

/** A line that ends with a backslash continues on the next one. */
const goesOn = /\\$/;

/** `take` turns a line into an input. */
export function createPipedInput(
  { stdin, signal }: Pick<Session, 'stdin' | 'signal'>,
  take: (line: string) => string = (line) => line,
): ChatInput {
  const reader = createInterface({ input: stdin, signal });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async read() {
      const input: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) return input.length === 0 ? null : input.join('\n');
        input.push(value.replace(goesOn, ''));
        if (!goesOn.test(value)) return take(input.join('\n'));
      }
    },
    close: () => reader.close(),
  };
}

export interface EditorOptions {
  /** Returns the completions after this text, and the part of it that they replace. */
  readonly complete: (line: string) => readonly [string[], string];
  /** Earlier inputs, newest first. */
  readonly earlier: readonly string[];
}

/** Holds the terminal only while it reads: in between, Ctrl-C is a signal and prompts can be shown. */
export function createEditedInput(
  { stdin, out, signal }: Pick<Session, 'stdin' | 'out' | 'signal'>,
  { complete, earlier }: EditorOptions,
): ChatInput {
  const typedAhead: string[] = [];
  let begun = '';
  let history = earlier.map(foldPaste);

  function readLine(prompt: string): Promise<string | null> {
    const ahead = typedAhead.shift();
    if (ahead !== undefined) {
      out(`${prompt}${ahead}\n`);
      return Promise.resolve(ahead);
    }
    const input = filteredInput(stdin);
    const editor = createInterface({
      input: input.stream,
      output: process.stdout,
      terminal: true,
      completer: (line: string) => [...complete(line)],
      history,
      historySize: 500,
      removeHistoryDuplicates: true,
      prompt,
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
        signal.removeEventListener('abort', leave);
        begun = lines.length > 0 ? editor.line : '';
        input.release();
        out(pasteOff);
        const [first, ...more] = lines;
        typedAhead.push(...more);
        if (first === undefined) out('\n');
        resolve(first ?? null);
      });
      const leave = (): void => editor.close();
      signal.addEventListener('abort', leave, { once: true });
      out(pasteOn);
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
    async read() {
      let input = '';
      for (let prompt = '> '; ; prompt = '… ') {
        const line = await readLine(prompt);
        if (line === null) return null;
        input += unfoldPaste(line.replace(goesOn, ''));
        if (!goesOn.test(line)) return input;
        input += '\n';
      }
    },
    close: () => stdin.pause(),
  };
}

/** Returns standard input through the paste filter; the editor can still switch its raw mode. */
function filteredInput(stdin: Session['stdin']) {
  const decoder = new StringDecoder('utf8');
  const paste = createPasteFilter();
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      done(null, paste.push(decoder.write(chunk)));
    },
  });
  const terminal = Object.assign(stream, {
    isTTY: true,
    setRawMode: (raw: boolean) => stdin.setRawMode(raw),
  });
  stdin.pipe(terminal);
  return {
    stream: terminal,
    release() {
      stdin.unpipe(terminal);
      stdin.pause();
    },
  };
}
