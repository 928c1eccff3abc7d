/** Reads the keyboard while the lead answers. */
import { StringDecoder } from 'node:string_decoder';
import type { Session } from '../session.ts';

export interface KeyWatch {
  /** Leaves the keyboard to a question. Returns the function that takes it back. */
  hold(): () => void;
  end(): void;
}

export interface KeyWatchOptions {
  readonly stop: () => void;
  /** Receives the keys that were pressed for the next input. */
  readonly typed: (keys: string) => void;
}

const interrupt = '\u0003';
const escape = '\u001b';

/** The terminal shows nothing of what is typed: it would be mixed with the answer. */
export function watchKeys(stdin: Session['stdin'], { stop, typed }: KeyWatchOptions): KeyWatch {
  const decoder = new StringDecoder('utf8');
  let isHolding = false;
  const onData = (chunk: Buffer): void => {
    const text = decoder.write(chunk);
    if (text === escape || text.includes(interrupt)) stop();
    // Other keys are sequences that begin with an escape.
    else if (!text.startsWith(escape)) typed(text);
  };
  function take(): void {
    isHolding = true;
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  }
  function release(): void {
    if (!isHolding) return;
    isHolding = false;
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  }
  take();
  return {
    hold() {
      release();
      return take;
    },
    end: release,
  };
}

/** Returns a begun text with the keys of the next input applied; a backspace removes nothing of an earlier line. */
export function withKeys(begun: string, keys: string): string {
  let text = begun;
  for (const key of keys) {
    if (key === '\u007f' || key === '\b') text = text.replace(/[^\r\n]$/u, '');
    else if (!/\p{Cc}/u.test(key) || /[\r\n]/.test(key)) text += key;
  }
  return text;
}
