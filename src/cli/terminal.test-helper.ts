/** A terminal of this process: what it shows, and a person who types when something is shown. */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import type { SessionHow } from './command.test-helper.ts';
import type { Screen } from './session.ts';

export interface Terminal {
  /** The session of a command at this terminal. */
  readonly how: Required<Pick<SessionHow, 'stdin' | 'out' | 'err' | 'screen'>>;
  /** Types now. */
  readonly type: (keys: string) => void;
  /** Everything that was written, with its control sequences. */
  readonly written: () => string;
  readonly shown: () => string;
  /** The modes of the keyboard, in order: raw or not. */
  readonly raw: readonly boolean[];
}

export interface TerminalOptions {
  readonly rows?: number;
  readonly columns?: number;
  readonly screen?: Partial<Screen>;
  /** Called with each written text. */
  readonly onWrite?: (text: string) => void;
}

/** Types the keys of each pair when its text has been shown since the pair before. */
export function createTerminal(
  person: readonly (readonly [shown: string, keys: string])[] = [],
  { rows = 24, columns = 80, screen, onWrite }: TerminalOptions = {},
): Terminal {
  const raw: boolean[] = [];
  const keyboard = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => void raw.push(on),
  });
  const pairs = [...person];
  let [written, unanswered] = ['', ''];

  function write(text: unknown): boolean {
    written += String(text);
    unanswered += stripVTControlCharacters(String(text));
    const [next] = pairs;
    if (next !== undefined && unanswered.includes(next[0])) {
      pairs.shift();
      unanswered = '';
      setImmediate(() => keyboard.write(next[1]));
    }
    onWrite?.(String(text));
    return true;
  }

  const output = Object.assign(new PassThrough(), { rows, columns, isTTY: true, write });
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a command uses of a terminal
  const stdin = keyboard as unknown as NodeJS.ReadStream & { readonly fd: 0 };
  // oxlint-disable-next-line no-unsafe-type-assertion -- what a command uses of a terminal
  const stdout = output as unknown as NodeJS.WriteStream & { readonly fd: 1 };
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout),
    vi.spyOn(process.stderr, 'write').mockImplementation(write),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return {
    how: {
      stdin,
      out: (text) => void write(text),
      err: (text) => void write(text),
      screen: { columns, interactive: { out: true, err: true }, ...screen },
    },
    type: (keys) => void keyboard.write(keys),
    written: () => written,
    shown: () => stripVTControlCharacters(written),
    raw,
  };
}
