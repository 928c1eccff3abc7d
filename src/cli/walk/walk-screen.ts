/** A whole screen that is drawn again after each key, and the keys. */
import { emitKeypressEvents, type Key } from 'node:readline';
import type { PageSize } from './finding-page.ts';
import type { Session } from '../session.ts';

export interface WalkScreen {
  draw(lines: readonly string[]): void;
  /** Resolves with the next key; null if the process was asked to end, or the terminal is gone. */
  key(): Promise<Key | null>;
  size(): PageSize;
  /** Writes a control sequence that shows nothing. */
  send(sequence: string): void;
  /** Gives the terminal to another program or prompt until `work` settles. */
  lend<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): void;
}

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';

/** `onResize` draws again. */
export function openWalkScreen(
  { stdin, signal }: Pick<Session, 'stdin' | 'signal'>,
  onResize: () => void,
): WalkScreen {
  const { stdout } = process;
  const pressed: Key[] = [];
  let waiting: ((key: Key | null) => void) | null = null;
  let isOver = signal.aborted;

  function settle(key: Key | null): void {
    const resolve = waiting;
    waiting = null;
    if (resolve !== null) resolve(key);
    else if (key !== null) pressed.push(key);
  }
  const onKey = (text: string | undefined, key: Key) => settle({ sequence: text ?? '', ...key });
  const onEnd = () => {
    isOver = true;
    settle(null);
  };
  const restore = () => void stdout.write(leave);

  function take(): void {
    stdout.write(enter);
    process.once('exit', restore);
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.on('keypress', onKey);
    stdin.on('end', onEnd);
    stdin.resume();
    stdout.on('resize', onResize);
  }

  function release(): void {
    stdout.off('resize', onResize);
    stdin.off('keypress', onKey);
    stdin.off('end', onEnd);
    stdin.setRawMode(false);
    stdin.pause();
    process.off('exit', restore);
    restore();
  }

  signal.addEventListener('abort', onEnd, { once: true });
  take();
  return {
    draw(lines) {
      const body = lines.map((line) => `${line}\u001b[K`).join('\r\n');
      stdout.write(`\u001b[?2026h\u001b[H${body}\u001b[J\u001b[?2026l`);
    },
    key() {
      const next = pressed.shift();
      if (next !== undefined) return Promise.resolve(next);
      if (isOver) return Promise.resolve(null);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    size: () => ({ rows: stdout.rows, columns: stdout.columns }),
    send: (sequence) => void stdout.write(sequence),
    async lend(work) {
      release();
      try {
        return await work();
      } finally {
        take();
      }
    },
    close() {
      signal.removeEventListener('abort', onEnd);
      release();
    },
  };
}
