/** A command of `collab` within a conversation: the same one, with its standard output heard. */
import { stripVTControlCharacters } from 'node:util';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

export interface InnerCommand {
  readonly exitCode: number;
  /** Its standard output, without colours. */
  readonly printed: string;
}

export interface InnerOptions {
  readonly session: Session;
  readonly start: Program['start'];
  /** Ends the command and nothing else. */
  readonly signal: AbortSignal;
  /** Whether standard output is seen while it comes. */
  readonly shown: boolean;
}

export async function runInner(
  args: readonly string[],
  { session, start, signal, shown }: InnerOptions,
): Promise<InnerCommand> {
  let printed = '';
  const exitCode = await start(args, {
    ...session,
    signal,
    // What was stopped here ended as by a key.
    endedBy: () => session.endedBy() ?? (signal.aborted ? 'SIGINT' : null),
    out(text) {
      printed += text;
      if (shown) session.out(text);
    },
  });
  return { exitCode, printed: stripVTControlCharacters(printed) };
}
