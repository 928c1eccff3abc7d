/** The spawn for commands that end by themselves: git, version and login probes (DESIGN §2). */
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { tieToUs, type Launch } from './lifeline.ts';
import { createHeadBuffer, createTailBuffer, type OutputBuffer } from './output-buffer.ts';
import { thisPlatform, type Platform } from './platform.ts';
import { signalGroup, trackGroup } from './process-group.ts';

export interface CommandOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that the child gets; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then ended, of a stream with the stream; without it standard input is empty. */
  readonly input?: string | Uint8Array | Readable;
  /**
   * A child that writes more to standard output is ended, and the result is `truncated`. 0: nothing is kept and nothing
   * bounds it; who asks for that reads `onStdoutChunk`.
   */
  readonly maxOutputBytes: number;
  /** Whatever ends us, even SIGKILL, ends the child too: as this system does it, or as the given one. */
  readonly diesWithUs?: boolean | Platform;
  /** Default: none. */
  readonly timeoutMs?: number;
  /** From SIGTERM to SIGKILL, and how long a grandchild may hold the pipes of a child that is gone. Default 2000. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  readonly onStdoutChunk?: (chunk: Buffer) => void;
}

export interface CommandResult<Output = string> {
  /** Null when a signal ended the child or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** There is no such program. */
  readonly missing: boolean;
  /** Why the child could not be started: `ENOENT`, `EACCES`, `E2BIG`…; null when it was. */
  readonly startFailure: string | null;
  readonly stdout: Output;
  /** The last 64 KiB. */
  readonly stderr: string;
  /** Standard output was longer than `maxOutputBytes`; what is here is its beginning. */
  readonly truncated: boolean;
}

/**
 * Runs a program to its end and reports facts; it never rejects for what the program did. The child leads a process group of
 * its own, and nothing of that group is left when the promise settles.
 */
export function runCommand(
  options: CommandOptions & { readonly output: 'bytes' },
): Promise<CommandResult<Buffer>>;
export function runCommand(options: CommandOptions & { readonly output?: 'text' }): Promise<CommandResult>;
export async function runCommand(
  options: CommandOptions & { readonly output?: 'bytes' | 'text' },
): Promise<CommandResult<Buffer | string>> {
  const stdout = createHeadBuffer(options.maxOutputBytes);
  const stderr = createTailBuffer(stderrBytes);
  const ending = await runChild(options, stdout, stderr);
  const bytes = stdout.bytes();
  return {
    exitCode: ending.exitCode,
    signal: ending.signal,
    timedOut: ending.reason === 'timed_out',
    aborted: ending.reason === 'aborted',
    missing: ending.startFailure === 'ENOENT' && existsSync(options.cwd),
    startFailure: ending.startFailure,
    stdout: options.output === 'bytes' ? bytes : bytes.toString('utf8'),
    stderr: stderr.bytes().toString('utf8'),
    truncated: stdout.dropped,
  };
}

const stderrBytes = 64 * 1024;
const defaultGraceMs = 2000;

type EndReason = 'timed_out' | 'aborted' | 'overflow';

interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly startFailure: string | null;
  /** Why we ended it; null when it ended by itself. */
  readonly reason: EndReason | null;
}

async function runChild(
  options: CommandOptions,
  stdout: OutputBuffer,
  stderr: OutputBuffer,
): Promise<Ending> {
  // Behind an import: loading execa takes longer than all that `--version` does.
  const { execa } = await import('execa');
  if (options.signal?.aborted === true) {
    return { exitCode: null, signal: null, startFailure: null, reason: 'aborted' };
  }
  const launch = launchOf(options);
  const child = execa(launch.file, [...launch.args], {
    cwd: options.cwd,
    env: { ...options.env },
    extendEnv: false,
    stdio: [
      options.input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      launch.holdsPipe ? 'pipe' : 'ignore',
    ],
    ...(options.input !== undefined && { input: options.input }),
    // The output is kept by us: execa's own bound would let a flood on standard error end the child.
    buffer: false,
    encoding: 'buffer',
    reject: false,
    detached: true,
    cleanup: false,
    windowsHide: true,
  });
  const stopper = createStopper(child, options);
  // Its other end goes with the child; nothing is ever written.
  child.stdio[3]?.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => {
    options.onStdoutChunk?.(chunk);
    if (options.maxOutputBytes === 0) return;
    stdout.push(chunk);
    if (stdout.dropped) stopper.stop('overflow');
  });
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const result = await child;
  stopper.close();
  if (child.pid === undefined) {
    return { exitCode: null, signal: null, startFailure: result.code ?? 'unknown', reason: null };
  }
  return { exitCode: child.exitCode, signal: child.signalCode, startFailure: null, reason: stopper.reason() };
}

function launchOf({ file, args, diesWithUs = false }: CommandOptions): Launch {
  if (diesWithUs === false) return { file, args, holdsPipe: false };
  return tieToUs({ file, args }, diesWithUs === true ? thisPlatform : diesWithUs);
}

/** The part of a child process that ending it needs. */
interface Stoppable {
  readonly pid?: number | undefined;
  readonly stdout: { destroy(): unknown };
  readonly stderr: { destroy(): unknown };
  once(event: 'exit', listener: () => void): unknown;
}

function createStopper(child: Stoppable, { signal, timeoutMs, graceMs = defaultGraceMs }: CommandOptions) {
  let reason: EndReason | null = null;
  let exited = false;
  const timers: NodeJS.Timeout[] = [];
  const { pid } = child;
  const untrack = pid === undefined ? null : trackGroup(pid);

  const kill = (): void => {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    // A grandchild in a session of its own may still hold the pipes; it is not waited for.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const killAfterGrace = (): void => void timers.push(setTimeout(kill, graceMs));
  const stop = (why: EndReason): void => {
    if (reason !== null || exited) return;
    reason = why;
    if (pid !== undefined) signalGroup(pid, 'SIGTERM');
    killAfterGrace();
  };
  const abort = (): void => stop('aborted');

  child.once('exit', () => {
    exited = true;
    killAfterGrace();
  });
  signal?.addEventListener('abort', abort, { once: true });
  if (timeoutMs !== undefined) timers.push(setTimeout(() => stop('timed_out'), timeoutMs));

  const close = (): void => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    untrack?.();
  };
  return { stop, close, reason: () => reason };
}
