import { devNull } from 'node:os';
import { CollabError } from '../../errors/collab-error.ts';
import { fileFault } from '../../system/files/fault.ts';
import { runCommand, type CommandResult, type CommandOptions } from '../../system/run-command.ts';
import { safePath } from '../../system/safe-path.ts';
import { pick } from '../../text/pick.ts';
import { renderDuration } from '../../text/quantities.ts';
import { watchForPipe } from './pipe-watch.ts';

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

export interface GitCall extends Pick<CommandOptions, 'args' | 'cwd' | 'input' | 'signal'> {
  /** Override the fixed variables; undefined removes one. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The user's environment; only PATH and the temporary folder are used. */
  readonly env: GitEnvironment;
  /** PATH entries below it are not searched for git. */
  readonly repositoryRoot: string | null;
  /** 0: nothing is kept, and `onStdoutChunk` reads it. */
  readonly maxOutputBytes?: number;
  readonly onStdoutChunk?: (chunk: Buffer) => void;
  /** True while git only waits for its input. Default: never. */
  readonly isIdle?: () => boolean;
  /** Milliseconds. Default 10 minutes. */
  readonly limitMs?: number;
}

export type GitResult = CommandResult<Buffer>;

/**
 * Starts git with an environment that holds nothing of the user's and nothing that could prompt, page, fetch or write.
 * @throws CollabError `input` when there is no git or it waits for a pipe, `cancelled` when the signal aborts, `file` when git had no room to write
 */
export async function runGit(call: GitCall): Promise<GitResult> {
  const { limitMs = 10 * 60_000 } = call;
  const watch = watchForPipe({
    roots: watchedFolders(call),
    isIdle: call.isIdle ?? (() => false),
    signal: call.signal,
  });
  const result = await runCommand({
    file: 'git',
    args: call.args,
    cwd: call.cwd,
    env: definedOnly({
      ...fixedVariables,
      PATH: safePath(call.env, call.repositoryRoot),
      ...pick(call.env, systemVariables),
      ...call.variables,
    }),
    ...(call.input === undefined ? {} : { input: call.input }),
    maxOutputBytes: call.maxOutputBytes ?? 512 * 1024 * 1024,
    timeoutMs: limitMs,
    ...(call.onStdoutChunk === undefined ? {} : { onStdoutChunk: call.onStdoutChunk }),
    signal: watch.signal,
    output: 'bytes',
  }).finally(watch.close);
  if (result.startFailure !== null) throw gitMissing(result.startFailure);
  const pipe = watch.found();
  if (pipe !== null && result.aborted) throw pipe;
  if (result.aborted) throw new CollabError('cancelled', `git ${call.args[0] ?? ''} was stopped`);
  if (result.timedOut) {
    throw new CollabError(
      'input',
      `git ${call.args[0] ?? ''} did not end within ${renderDuration(limitMs)}`,
      { hint: 'A file that git reads may be a pipe, or on a network that does not answer.' },
    );
  }
  const limit = limitMet(result);
  if (limit !== null) {
    const cause = Object.assign(new Error(gitWords(result)), { code: limit });
    throw fileFault(cause, call.variables['GIT_OBJECT_DIRECTORY'] ?? call.cwd);
  }
  return result;
}

function watchedFolders({ variables, repositoryRoot }: GitCall): readonly string[] {
  const folders = [repositoryRoot, variables['GIT_WORK_TREE']];
  return [...new Set(folders.filter((folder) => typeof folder === 'string'))];
}

/** Returns the system's error code if git could not write; else null. */
function limitMet({ exitCode, signal, stderr }: GitResult): string | null {
  if (exitCode === 0) return null;
  if (signal === 'SIGXFSZ') return 'EFBIG';
  return limits.find(([words]) => words.test(stderr))?.[1] ?? null;
}

/** The C library's messages for `LC_ALL=C`. */
const limits = [
  [/: No space left on device$/m, 'ENOSPC'],
  [/: Disk quota exceeded$/m, 'EDQUOT'],
  [/: File too large$/m, 'EFBIG'],
  [/: Too many open files$/m, 'EMFILE'],
] as const;

/** Returns the first line of git's output for a message, without control characters. */
export function gitWords(result: GitResult): string {
  const line = result.stderr.split('\n').find((text) => text.trim() !== '') ?? ending(result);
  return line.replace(/\p{Cc}/gu, '?').slice(0, 300);
}

function ending({ exitCode, signal }: GitResult): string {
  return signal === null ? `it ended with ${exitCode}` : `it was ended by ${signal}`;
}

const fixedVariables = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: devNull,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_ALLOW_PROTOCOL: '',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
} as const;

/** Windows programs do not start without SystemRoot. */
const systemVariables = ['TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'SYSTEMROOT'];

function definedOnly(env: GitEnvironment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function gitMissing(reason: string): CollabError {
  return new CollabError('input', `git cannot be started (${reason})`, {
    hint: 'Install git, or review a diff file: collab review change.diff',
  });
}
