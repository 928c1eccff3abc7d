/** The user's inputs to `collab chat`, one after another, from a pipe; a terminal has a line editor. */
import { createInterface } from 'node:readline';
import type { Session } from '../session.ts';
import type { KeyWatch } from './watch-keys.ts';

export interface ChatInput {
  /** Prints the status before its prompt. Resolves with null at the end: end of input, Ctrl-D, Ctrl-C twice. */
  read(status?: string | null): Promise<string | null>;
  /** Replaces the earlier inputs; newest first. */
  recall(said: readonly string[]): void;
  /** Reads keys while the lead answers: Esc and Ctrl-C call `stop`, text is kept for the next input. Returns null without keys. */
  watch(stop: () => void): KeyWatch | null;
  close(): void;
}

/** A line that ends with a backslash continues on the next one. */
export const goesOn = /\\$/;

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
    recall: () => {},
    watch: () => null,
    close: () => reader.close(),
  };
}
