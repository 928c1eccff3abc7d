/** Performs a command of `collab` within a conversation and captures its standard output. */
import { stripVTControlCharacters } from 'node:util';
import type { Action, Program } from '../program.ts';
import type { Session } from '../session.ts';

export interface InnerCommand {
  readonly exitCode: number;
  /** Its standard output, without colors. */
  readonly printed: string;
  /** Its standard error, if it was not shown. */
  readonly remarks: string;
}

export interface InnerOptions {
  readonly session: Session;
  readonly perform: Program['perform'];
  /** Ends only this command. */
  readonly signal: AbortSignal;
  /** Prints its output as it arrives, and lets it use the terminal. */
  readonly shown: boolean;
  /** Renders the output that is shown. */
  readonly render?: ((printed: string) => string) | null;
}

export async function runInner(
  action: Action,
  { session, perform, signal, shown, render = null }: InnerOptions,
): Promise<InnerCommand> {
  let printed = '';
  let remarks = '';
  const apart = {
    err: (text: string) => void (remarks += text),
    screen: { ...session.screen, color: noColor, interactive: { out: false, err: false } },
  };
  const exitCode = await perform(action, {
    ...session,
    ...(shown ? {} : apart),
    signal,
    // A command that is stopped here ends as if by Ctrl-C.
    endedBy: () => session.endedBy() ?? (signal.aborted ? 'SIGINT' : null),
    out(text) {
      printed += text;
      if (shown) session.out(render === null ? text : `${render(text)}\n`);
    },
  });
  return {
    exitCode,
    printed: stripVTControlCharacters(printed),
    remarks: stripVTControlCharacters(remarks),
  };
}

const noColor = { out: false, err: false };
