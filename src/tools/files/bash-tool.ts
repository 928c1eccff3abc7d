/**
 * Runs shell commands in the repository. No path jail confines them: they can do whatever the user can, so they need
 * permission.
 */
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { confineFailure, type Confinement } from '../../system/confine.ts';
import { createHeadBuffer, createTailBuffer } from '../../system/output-buffer.ts';
import { runCommand, type CommandResult } from '../../system/run-command.ts';
import { safePath } from '../../system/safe-path.ts';
import { defineTool, refuse } from '../definition/define-tool.ts';
import type { Tool, ToolOutcome } from '../definition/interfaces.ts';
import { tokenVariable } from '../definition/token-variable.ts';

const defaultSeconds = 120;
const args = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(100_000)
    .describe('Runs at the top of the repository; each call starts there.'),
  timeout_seconds: z.int().positive().max(600).optional().describe(`Default ${defaultSeconds}, at most 600.`),
});
type Args = z.infer<typeof args>;

export interface BashOptions {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the shell. */
  readonly shell: string;
  /** Confines commands, so that no process of theirs survives. */
  readonly confinement: Confinement;
  /** Folders that commands must not see, such as those with keys; namespaces keep them hidden. */
  readonly hidden: readonly string[];
}

export function createBashTool(options: BashOptions): Tool {
  return defineTool({
    name: 'Bash',
    aliases: ['bash'],
    description:
      'Runs a command of the shell and shows what it prints. It gets no input, and processes that it leaves running are ended.',
    readOnly: false,
    args,
    scopeOf: (given) => JSON.stringify(args.safeParse(given).data?.command ?? given),
    async run({ command, timeout_seconds = defaultSeconds }: Args, { signal, tellOutput, tokens = {} }) {
      const output = createOutput(tellOutput);
      const result = await runCommand({
        file: options.shell,
        // One stream, so that the output stays in order.
        args: ['-c', `exec 2>&1\n${command}`],
        cwd: options.root,
        env: { ...environmentOf(options.env), ...variablesOf(tokens) },
        maxOutputBytes: 0,
        onStdoutChunk: (chunk) => output.push(chunk),
        timeoutMs: timeout_seconds * 1000,
        confined: { how: options.confinement, hidden: options.hidden },
        signal,
      });
      signal.throwIfAborted();
      if (result.stderr.includes(confineFailure)) return refuse(result.stderr.trim());
      if (result.startFailure !== null) return refuse(`The shell does not start (${result.startFailure}).`);
      return outcomeOf(result, output.text(), timeout_seconds);
    },
  });
}

const shownBytes = 30 * 1024;

/** Keeps the beginning and the end of the output, cut between lines: half of a secret could not be masked. */
function createOutput(tellOutput: ((chunk: string) => void) | undefined) {
  const [head, tail, decoder] = [
    createHeadBuffer(shownBytes),
    createTailBuffer(shownBytes),
    new StringDecoder(),
  ];
  let sizeBytes = 0;
  return {
    push(chunk: Buffer): void {
      const kept = Math.max(0, Math.min(chunk.length, shownBytes - sizeBytes));
      sizeBytes += chunk.length;
      head.push(chunk.subarray(0, kept));
      tail.push(chunk.subarray(kept));
      tellOutput?.(decoder.write(chunk));
    },
    text(): string {
      const [first, last] = [head.bytes(), tail.bytes()].map((bytes) => bytes.toString('utf8'));
      if (!tail.dropped) return `${first}${last}`;
      const [begin, end] = [upToLine(first ?? ''), fromLine(last ?? '')];
      const leftOut = sizeBytes - Buffer.byteLength(begin) - Buffer.byteLength(end);
      return `${begin}(${leftOut} bytes left out)\n${end}`;
    },
  };
}

function upToLine(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function fromLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
}

function outcomeOf(
  { exitCode, signal, timedOut }: CommandResult,
  output: string,
  seconds: number,
): ToolOutcome {
  const text = output.replace(/\n+$/, '');
  const end = timedOut
    ? `(ended after ${seconds} s)`
    : exitCode === null
      ? `(ended by ${signal})`
      : exitCode === 0
        ? null
        : `(exit code ${exitCode})`;
  const lines = [text, end].filter((part) => part !== null && part !== '');
  return {
    content: lines.length === 0 ? '(no output)' : lines.join('\n'),
    isError: end !== null,
    data: { exit_code: exitCode, timed_out: timedOut },
    exitCode,
  };
}

function variablesOf(tokens: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const usable = Object.entries(tokens).filter(([, value]) => !value.includes('\0'));
  return Object.fromEntries(usable.map(([name, value]) => [tokenVariable(name), value]));
}

/** Leaves out API keys and similar secrets; no program waits for an editor, a pager or a password. */
function environmentOf(env: BashOptions['env']): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) =>
    /^(HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    PATH: safePath(env, null),
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
  };
}
