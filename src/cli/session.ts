/** What every command gets: where it was called, where it writes, and the signal that ends it. */
import { killTrackedGroups } from '../process/process-group.ts';
import { systemClock, type Clock } from '../process/clock.ts';

export interface Session {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /** Which of them it was; null while none came. */
  readonly endedBy: () => EndingSignal | null;
  readonly stdin: NodeJS.ReadStream;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly screen: Screen;
}

export interface Screen {
  readonly columns: number;
  /** Whether standard output and standard error may be coloured. */
  readonly color: { readonly out: boolean; readonly err: boolean };
  readonly interactive: { readonly out: boolean; readonly err: boolean };
}

export type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const endingSignals: readonly EndingSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Installs the one process-wide signal handler. */
export function createSession(): Session & { close(): void } {
  const controller = new AbortController();
  let endedBy: EndingSignal | null = null;
  const onSignal = (name: NodeJS.Signals) => {
    const signal = endingSignals.find((candidate) => candidate === name);
    if (signal === undefined || endedBy !== null) return;
    endedBy = signal;
    controller.abort(new Error(signal));
  };
  for (const name of endingSignals) process.on(name, onSignal);
  // Whatever ends this process, no command that it began outlives it.
  process.once('exit', killTrackedGroups);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedReader);
  return {
    cwd: process.cwd(),
    env: process.env,
    clock: systemClock,
    signal: controller.signal,
    endedBy: () => endedBy,
    stdin: process.stdin,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    screen: screenOf(process.env),
    close() {
      for (const name of endingSignals) process.off(name, onSignal);
    },
  };
}

/** `collab … | head` closes our output; what is journaled is not lost by it. */
function ignoreClosedReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function screenOf(env: NodeJS.ProcessEnv): Screen {
  const mayColor = (stream: NodeJS.WriteStream) => stream.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return {
    columns: process.stdout.columns ?? process.stderr.columns ?? 80,
    color: { out: mayColor(process.stdout), err: mayColor(process.stderr) },
    interactive: { out: process.stdout.isTTY, err: process.stderr.isTTY },
  };
}
