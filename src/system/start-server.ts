/**
 * The spawn for a child that lives beside us (DESIGN §2). Its standard input stays open and is its lifeline: whatever
 * ends us, even SIGKILL, closes the pipe, and a server that minds its input goes too. Spawn from the main thread only.
 */
import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { createTailBuffer } from './output-buffer.ts';
import { signalGroup, trackGroup } from './process-group.ts';
import { readLines } from './read-lines.ts';

export interface ServerOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that the child gets; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** In characters; of a longer line the beginning is handed out. Default 16 Mi. */
  readonly maxLineChars?: number;
  /** From the end of its input to SIGTERM. Default 2000. */
  readonly termAfterMs?: number;
  /** From the end of its input to SIGKILL of its group. Default 5000. */
  readonly killAfterMs?: number;
}

export type StartResult =
  | { readonly started: true; readonly server: Server }
  | {
      readonly started: false;
      /** `ENOENT`, `EACCES`, … */
      readonly failure: string;
      /** There is no such program. */
      readonly missing: boolean;
    };

export interface Server {
  readonly pid: number;
  /** What it writes to standard output, line by line, until it ends. To be read once, and always: an unread pipe stalls it. */
  readonly lines: AsyncIterable<string>;
  /** Writes one line. After the end of the server it does nothing. */
  write(line: string): void;
  /** Settles when the child is gone, by itself or stopped. Never rejects. */
  readonly ended: Promise<ServerEnding>;
  /** Ends its input, then SIGTERM, then SIGKILL to the group. Safe to call twice. */
  stop(): Promise<ServerEnding>;
}

export interface ServerEnding {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last 64 KiB of standard error. */
  readonly stderr: string;
}

export async function startServer(options: ServerOptions): Promise<StartResult> {
  const child = begin(options);
  const { pid } = child;
  if (!('stdin' in child) || pid === undefined) {
    const failure = 'stdin' in child ? await failureOf(child) : child.failure;
    return { started: false, failure, missing: failure === 'ENOENT' && existsSync(options.cwd) };
  }
  const stderr = createTailBuffer(stderrBytes);
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // Both tell of a child that is gone: a write fails with EPIPE, a signal finds nobody; its end is reported by `ended`.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);

  const untrack = trackGroup(pid);
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, act: () => void): void => void timers.push(setTimeout(act, ms));
  const kill = (): void => {
    signalGroup(pid, 'SIGKILL');
    // A grandchild in a session of its own may still hold the pipes; it is not waited for.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  child.once('exit', () => after(options.termAfterMs ?? defaultTermAfterMs, kill));

  const ended = closeOf(child).then((): ServerEnding => {
    for (const timer of timers) clearTimeout(timer);
    signalGroup(pid, 'SIGKILL');
    untrack();
    return { exitCode: child.exitCode, signal: child.signalCode, stderr: stderr.bytes().toString('utf8') };
  });
  let stopping = false;
  const stop = (): Promise<ServerEnding> => {
    if (!stopping) {
      stopping = true;
      child.stdin.end();
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
 * Not by execa, as a command is: none of what it adds is used here, and an agent would start later by its import. Of most
 * failures the child tells; some, such as `E2BIG`, are thrown.
 */
function begin({ file, args, cwd, env }: ServerOptions) {
  try {
    return spawn(file, [...args], {
      cwd,
      env: { ...env },
      stdio: 'pipe',
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    return { pid: undefined, failure: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

/** `ENOENT` and the like. */
function failureOf(child: EventEmitter): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error: unknown) => resolve(codeOf(error)));
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
