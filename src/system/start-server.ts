/**
 * The spawn for a child that runs beside this process. Its standard input stays open and is its lifeline:
 * however this process ends, even by SIGKILL, the pipe closes, and a server that watches its input ends too.
 * Spawn from the main thread only.
 */
import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { codeOf } from '../errors/has-code.ts';
import { createTailBuffer } from './output-buffer.ts';
import { endGroup, signalGroup, trackGroup } from './process-group.ts';
import { readLines } from './read-lines.ts';
import type { CommandOptions, CommandResult } from './run-command.ts';

export interface ServerProcessOptions extends Pick<CommandOptions, 'file' | 'args' | 'cwd' | 'env'> {
  /** In characters; a longer line is cut to this length. Default 16 Mi. */
  readonly maxLineChars?: number;
  /** The time from the end of its input to SIGTERM. Default 2000. */
  readonly termAfterMs?: number;
  /** The time from the end of its input to SIGKILL of its group. Default 5000. */
  readonly killAfterMs?: number;
}

export type StartResult =
  | { readonly started: true; readonly server: ServerProcess }
  | {
      readonly started: false;
      /** `ENOENT`, `EACCES`, … */
      readonly failure: string;
      /** True if there is no such program. */
      readonly missing: boolean;
    };

export interface ServerProcess {
  readonly pid: number;
  /** The lines of its standard output, until it ends. Must be read, and once only: an unread pipe stalls the server. */
  readonly lines: AsyncIterable<string>;
  /** Writes one line. Does nothing after the server has ended. */
  write(line: string): void;
  /** Settles when the child has ended, by itself or stopped. Never rejects. */
  readonly ended: Promise<ServerEnding>;
  /** Ends its input, then sends SIGTERM, then SIGKILL to the group. Safe to call twice. */
  stop(): Promise<ServerEnding>;
}

export type ServerEnding = Pick<CommandResult, 'exitCode' | 'signal' | 'stderr'>;

export async function startServer(options: ServerProcessOptions): Promise<StartResult> {
  const child = begin(options);
  const { pid } = child;
  if (!('stdin' in child) || pid === undefined) {
    const failure = 'stdin' in child ? await failureOf(child) : child.failure;
    return { started: false, failure, missing: failure === 'ENOENT' && existsSync(options.cwd) };
  }
  const stderr = createTailBuffer(stderrBytes);
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // Both mean that the child has ended: a write fails with EPIPE, a signal finds no process; `ended` reports the end.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);

  const untrack = trackGroup(pid);
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, act: () => void): void => void timers.push(setTimeout(act, ms));
  const kill = (): void => {
    signalGroup(pid, 'SIGKILL');
    // A grandchild in its own session may still hold the pipes; do not wait for it.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  child.once('exit', () => after(options.termAfterMs ?? defaultTermAfterMs, kill));

  const ended = closeOf(child).then(async (): Promise<ServerEnding> => {
    for (const timer of timers) clearTimeout(timer);
    await endGroup(pid);
    untrack();
    return { exitCode: child.exitCode, signal: child.signalCode, stderr: stderr.bytes().toString('utf8') };
  });
  let stopping = false;
  const stop = (): Promise<ServerEnding> => {
    if (!stopping) {
      stopping = true;
      endInput(child.stdin);
      after(options.termAfterMs ?? defaultTermAfterMs, () => void signalGroup(pid, 'SIGTERM'));
      after(options.killAfterMs ?? defaultKillAfterMs, kill);
    }
    return ended;
  };
  const write = (line: string): void => {
    if (child.stdin.writable) child.stdin.write(`${line}\n`);
  };
  const lines = readLines(child.stdout, options.maxLineChars ?? defaultMaxLineChars);
  return { started: true, server: { pid, lines, write, ended, stop } };
}

/**
 * Not execa, as for a command: nothing it adds is used here, and its import would delay the start of an
 * agent. The child reports most failures as events; some, such as `E2BIG`, are thrown.
 */
function begin({ file, args, cwd, env }: ServerProcessOptions) {
  try {
    return spawn(file, [...args], {
      cwd,
      env: { ...env },
      stdio: 'pipe',
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    return { pid: undefined, failure: codeOf(error) ?? 'unknown' };
  }
}

/** `end` alone closes the pipe only when this process waits for something: a server could have ended by then. */
function endInput(input: Writable): void {
  if (input.writableLength === 0) input.destroy();
  else input.end();
}

/** Resolves with the code, such as `ENOENT`. */
function failureOf(child: EventEmitter): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error: unknown) => resolve(codeOf(error) ?? 'unknown'));
  });
}

function closeOf(child: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
  });
}

const stderrBytes = 64 * 1024;
const defaultMaxLineChars = 16 * 1024 * 1024;
const defaultTermAfterMs = 2000;
const defaultKillAfterMs = 5000;
