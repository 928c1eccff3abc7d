/** The spawn for commands that end by themselves: git, version and login probes. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { execa as Execa } from 'execa';
import { confine, type ConfinedLaunch, type Confinement } from './confine.ts';
import { tieToUs, type ProgramCall } from './lifeline.ts';
import { createHeadBuffer, createTailBuffer, type OutputBuffer } from './output-buffer.ts';
import { thisPlatform, type Platform } from './platform.ts';
import { endGroup, signalGroup, trackGroup } from './process-group.ts';

export interface CommandOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The child's whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which then ends (with a stream: when it ends). Default: empty standard input. */
  readonly input?: string | Uint8Array | Readable;
  /**
   * A child that writes more to standard output is ended, and the result is `truncated`. 0: nothing is kept
   * or bounded; such a caller reads `onStdoutChunk`.
   */
  readonly maxOutputBytes: number;
  /** The child ends when this process does, even by SIGKILL: by this system's means, or the given one's. */
  readonly diesWithUs?: boolean | Platform;
  /** For foreign commands: none of its processes is left when this settles or when this process is killed. */
  readonly confined?: {
    readonly how: Confinement;
    /** Files and folders that it must not see; works only with namespaces. */
    readonly hidden: readonly string[];
  };
  /** Default: none. */
  readonly timeoutMs?: number;
  /** The time from SIGTERM to SIGKILL, and how long a grandchild may hold the pipes of a child that has ended. Default 2000. */
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
  /** While a promise that it returns is pending, the standard output of a running child is not read. */
  readonly onStdoutChunk?: (chunk: Buffer) => unknown;
}

export interface CommandResult<Output = string> {
  /** `null` if a signal ended the child or it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** True if there is no such program. */
  readonly missing: boolean;
  /** The reason why the child could not be started: `ENOENT`, `EACCES`, `E2BIG`…; null if it was. */
  readonly startFailure: string | null;
  readonly stdout: Output;
  /** The last 64 KiB. */
  readonly stderr: string;
  /** True if standard output was longer than `maxOutputBytes`; `stdout` has its beginning. */
  readonly truncated: boolean;
}

/**
 * Runs a program to its end and reports facts; never rejects because of what the program did. The child leads
 * its own process group, and nothing of that group is left when the promise settles.
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
  /** The reason why we ended it; null if it ended by itself. */
  readonly reason: EndReason | null;
}

async function runChild(
  options: CommandOptions,
  stdout: OutputBuffer,
  stderr: OutputBuffer,
): Promise<Ending> {
  // Imported only here: loading execa takes longer than all of `--version`.
  const { execa } = await import('execa');
  if (options.signal?.aborted === true) {
    return { exitCode: null, signal: null, startFailure: null, reason: 'aborted' };
  }
  const launch = launchOf(options);
  const endSweep = launch.sweeper === null ? null : startSweep(execa, launch.sweeper);
  const child = execa(launch.file, [...launch.args], {
    cwd: options.cwd,
    env: { ...options.env, ...launch.env },
    extendEnv: false,
    stdio: [
      options.input === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      launch.holdsPipe ? 'pipe' : 'ignore',
    ],
    ...(options.input !== undefined && { input: options.input }),
    // We keep the output: with execa's own bound, a flood on standard error would end the child.
    buffer: false,
    encoding: 'buffer',
    reject: false,
    detached: true,
    cleanup: false,
    windowsHide: true,
  });
  const stopper = createStopper(child, options);
  // Its other end closes with the child; we never write to it.
  child.stdio[3]?.on('error', () => undefined);
  child.stdout.on('data', (chunk: Buffer) => {
    const taken = options.onStdoutChunk?.(chunk);
    if (taken instanceof Promise) pauseUntil(taken, child);
    if (options.maxOutputBytes === 0) return;
    stdout.push(chunk);
    if (stdout.dropped) stopper.stop('overflow');
  });
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const result = await child;
  await stopper.close();
  await endSweep?.();
  if (child.pid === undefined) {
    return { exitCode: null, signal: null, startFailure: result.code ?? 'unknown', reason: null };
  }
  return { exitCode: child.exitCode, signal: child.signalCode, startFailure: null, reason: stopper.reason() };
}

/** Does not pause after the exit: Node resumes the pipes then, so that they are read whole within the grace time. */
function pauseUntil(taken: Promise<unknown>, { stdout, exitCode, signalCode }: PausedChild): void {
  const resume = (): void => void stdout.resume();
  if (exitCode === null && signalCode === null) stdout.pause();
  taken.then(resume, resume);
}

interface PausedChild {
  readonly stdout: Pick<Readable, 'pause' | 'resume'>;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
}

function launchOf(options: CommandOptions): ConfinedLaunch {
  const { file, args, cwd, diesWithUs = false, confined } = options;
  if (confined !== undefined) {
    return confine({ file, args }, { ...confined, cwd, mark: randomUUID(), platform: thisPlatform });
  }
  const launch =
    diesWithUs === false
      ? { file, args, holdsPipe: false }
      : tieToUs({ file, args }, diesWithUs === true ? thisPlatform : diesWithUs);
  return { ...launch, env: {}, sweeper: null };
}

/**
 * Starts a sweeper in a session of its own, without our environment. It sweeps when its input ends: through
 * the returned function, which waits for it, or because this process was killed.
 */
function startSweep(execa: typeof Execa, { file, args }: ProgramCall): () => Promise<void> {
  const sweeper = execa(file, [...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    extendEnv: false,
    stdio: ['pipe', 'ignore', 'ignore'],
    reject: false,
    detached: true,
    cleanup: false,
  });
  sweeper.stdin.on('error', () => undefined);
  return async () => {
    sweeper.stdin.end();
    await sweeper;
  };
}

/** The part of a child process that is needed to end it. */
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
    // A grandchild in its own session may still hold the pipes; do not wait for it.
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

  const close = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    if (pid !== undefined) await endGroup(pid);
    untrack?.();
  };
  return { stop, close, reason: () => reason };
}
