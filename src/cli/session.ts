/** The environment of every command: the folder of the call, the outputs, and the signal that ends it. */
import { CollabError } from '../errors/collab-error.ts';
import type { Engine } from '../runs/engine/engine.ts';
import { killTrackedGroups } from '../system/process-group.ts';
import { systemClock, type Clock } from '../system/clock.ts';
import { wantsColor } from '../text/paint.ts';
import { exitCodeOfSignal } from './exit-code.ts';
import { jobLog } from './job-log.ts';

export interface Session {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /** While held, Ctrl-C calls `stop` and ends nothing else. Returns the function that releases it. */
  readonly holdInterrupt: (stop: () => void) => () => void;
  /** Returns the signal that arrived; null if there was none. */
  readonly endedBy: () => EndingSignal | null;
  readonly stdin: NodeJS.ReadStream;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly screen: Screen;
  /** The engine that the command's flags name; absent: that of the folder. */
  readonly engine?: Engine;
}

export interface Screen {
  /** The present width. */
  readonly columns: number;
  /** True if standard output or standard error may be colored. */
  readonly color: { readonly out: boolean; readonly err: boolean };
  readonly interactive: { readonly out: boolean; readonly err: boolean };
  /** False for a terminal that only prints lines. */
  readonly movesCursor: boolean;
}

export type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const endingSignals: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** One Ctrl-C arrives twice if the terminal and npm both send it. */
const sameKeyMs = 1000;

/** Installs the one process-wide signal handler. A second signal ends the process at once. */
export function createSession(clock: Clock = systemClock): Session & { close(): void } {
  const controller = new AbortController();
  let endedBy: EndingSignal | null = null;
  let endedAt = 0;
  let stop: (() => void) | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    const signal = endingSignals.find((candidate) => candidate === name);
    if (signal === undefined) return;
    if (signal === 'SIGINT' && stop !== null) return stop();
    if (endedBy !== null) {
      if (clock.now() - endedAt > sameKeyMs) process.exit(exitCodeOfSignal(endedBy));
      return;
    }
    [endedBy, endedAt] = [signal, clock.now()];
    controller.abort(new Error(signal));
  };
  for (const name of endingSignals) process.on(name, onSignal);
  // However this process ends, no command that it started outlives it.
  process.once('exit', killTrackedGroups);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedReader);
  return {
    cwd: process.cwd(),
    env: process.env,
    clock,
    signal: controller.signal,
    holdInterrupt(next) {
      const before = stop;
      stop = next;
      return () => {
        stop = before;
      };
    },
    endedBy: () => endedBy,
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: jobLog(process.env, (text) => void process.stderr.write(text)),
    screen: screenOf(process.env),
    close() {
      for (const name of endingSignals) process.off(name, onSignal);
    },
  };
}

/** `collab … | head` or a closed terminal closes our output; what is in the journal is not lost. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'EIO') return;
  throw new CollabError('internal', `the output cannot be written: ${error.message}`, {
    hint: 'check its redirection; collab show prints the report again',
    cause: error,
  });
}

/** A terminal that does not know its size says 0. */
function widthOf({ columns }: NodeJS.WriteStream): number | null {
  return columns === undefined || columns === 0 ? null : columns;
}

function screenOf(env: NodeJS.ProcessEnv): Screen {
  return {
    // A terminal may be resized at any time.
    get columns() {
      return widthOf(process.stdout) ?? widthOf(process.stderr) ?? 80;
    },
    color: { out: wantsColor(process.stdout, env), err: wantsColor(process.stderr, env) },
    interactive: { out: process.stdout.isTTY, err: process.stderr.isTTY },
    movesCursor: env['TERM'] !== 'dumb',
  };
}
