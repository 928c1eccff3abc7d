/** The installed command as a process that a test watches and signals. */
import { execa } from 'execa';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PackedResult } from './packed-collab.ts';

export interface StartedCommand {
  readonly ended: Promise<PackedResult>;
  /** @throws Error if it could not be started */
  readonly pid: () => number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Writes to an open standard input; data beyond a pipe's capacity needs a process that reads. */
  readonly feed: (text: string) => Promise<void>;
  /** To the process alone; no effect if it has ended. */
  readonly kill: (signal: NodeJS.Signals) => void;
  /** To its whole process group, as a terminal does on Ctrl-C. */
  readonly killGroup: (signal: NodeJS.Signals) => void;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; null leaves it open. */
  readonly input: string | null;
}

export function startCommand(
  command: string,
  args: readonly string[],
  options: StartOptions,
): StartedCommand {
  const child = execa(process.execPath, [command, ...args], {
    cwd: options.cwd,
    env: options.env,
    ...(options.input === null ? {} : { input: options.input }),
    extendEnv: false,
    detached: true,
    reject: false,
    stripFinalNewline: false,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let gone = false;
  const ended = child.then((result) => {
    gone = true;
    return { code: exitCode(result), stdout: result.stdout, stderr: result.stderr };
  });
  const send = (pid: number | undefined, signal: NodeJS.Signals): void => {
    if (pid !== undefined && !gone) process.kill(pid, signal);
  };
  return {
    ended,
    pid() {
      if (child.pid === undefined) throw new Error(`${command} was not started`);
      return child.pid;
    },
    stdout: () => stdout,
    stderr: () => stderr,
    feed: (text) =>
      new Promise((resolve, reject) => {
        child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    kill: (signal) => send(child.pid, signal),
    killGroup: (signal) => send(child.pid === undefined ? undefined : -child.pid, signal),
  };
}

/** The exit code; null if a signal ended it. */
function exitCode({ exitCode: code }: { readonly exitCode?: number | undefined }): number | null {
  return code ?? null;
}

/** Waits for a condition. @param what names it, at the end if it is a function @throws Error with its name after a generous time */
export async function until(what: string | (() => string), holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 25_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`never seen: ${typeof what === 'string' ? what : what()}`);
    await sleep(20);
  }
}
