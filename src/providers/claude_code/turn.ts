/** Runs one turn: one Claude Code process, from the prompt on its input to its last line. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Usage } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { readLines } from '../../system/read-lines.ts';
import { runCommand, type CommandResult } from '../../system/run-command.ts';
import type { HandedTools, LeadTurnRequest, TurnResult } from '../contract/contract.ts';
import type { TurnLimits } from '../../config/settings.ts';
import { limitClosing } from '../program/turn-closing.ts';
import { startWatch, type TurnWatch } from '../program/turn-watch.ts';
import type { LimitName } from '../program/watch-limits.ts';
import { hearTurn, type ClaudeTurnHearing } from './hear-turn.ts';
import { createToolServer, userMessage, type ToolServer } from './tool-server.ts';
import { endedResult, isAnswer } from './turn-result.ts';

export interface ClaudeTurnOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Written to the program's input as is. */
  readonly prompt: string;
  readonly sessionId: string;
  readonly model: string | null;
  readonly costBeforeUsd: number | null;
  readonly limits: TurnLimits;
  readonly clock: Clock;
  readonly emit: LeadTurnRequest['emit'];
  /** If absent, the agent has its own tools. */
  readonly tools?: HandedTools;
  /** Called as soon as a whole answer arrives, before the program has ended. */
  readonly onAnswer: (answer: { readonly text: string; readonly usage: Usage | null }) => void;
  /** Aborts the turn, which rejects with the reason. */
  readonly signal: AbortSignal;
  /** Closes the agent: the turn ends as if it had been cut. */
  readonly closing: AbortSignal;
}

export async function runTurn(options: ClaudeTurnOptions): Promise<TurnResult> {
  const { signal, sessionId, emit } = options;
  const watch = startWatch(options.limits, options.clock);
  const heard = hearTurn({ model: options.model, costBeforeUsd: options.costBeforeUsd, emit, watch });
  const stop = new AbortController();
  let passed: LimitName | null = null;
  const stopAtLimit = async (): Promise<void> => {
    passed = await watch.passed;
    stop.abort();
  };
  void stopAtLimit();
  try {
    const ended = await runProgram(options, { heard, watch, stop });
    if (signal.aborted) {
      heard.close('aborted', null);
      throw signal.reason;
    }
    // A message completed at the last moment still counts.
    const closing =
      passed === null || heard.result() !== null
        ? endedResult(ended, sessionId, heard)
        : limitClosing('Claude Code', passed, { sessionId, hasText: heard.spoke() });
    heard.close(closing.stopReason, closing.error);
    return closing.result;
  } finally {
    watch.stop();
  }
}

interface Listening {
  readonly heard: ClaudeTurnHearing;
  readonly watch: TurnWatch;
  readonly stop: AbortController;
}

async function runProgram(
  options: ClaudeTurnOptions,
  { heard, watch, stop }: Listening,
): Promise<CommandResult> {
  const output = new PassThrough();
  const signal = AbortSignal.any([options.signal, options.closing, stop.signal]);
  const input = inputOf(options, { watch, signal });
  const hear = (line: string): void => {
    watch.sawEvent();
    if (input.server?.hear(line) === true) return;
    heard.hear(line);
    const result = heard.result();
    if (result !== null && isAnswer(result)) {
      options.onAnswer({ text: result.result ?? '', usage: heard.usage() });
    }
    if (result !== null) input.end();
  };
  const listening = listen(output, hear, stop);
  const ended = await runCommand({
    file: options.program,
    args: options.args,
    cwd: options.cwd,
    env: options.env,
    input: input.source,
    maxOutputBytes: 0,
    onStdoutChunk: (chunk) => (output.write(chunk) ? undefined : once(output, 'drain', { signal })),
    signal,
    diesWithUs: true,
  });
  output.end();
  input.end();
  const fault = await listening;
  await input.server?.settled();
  if (fault !== null) throw fault.error;
  return ended;
}

interface TurnInput {
  readonly source: string | PassThrough;
  /** The tool server; null if the program gets only the prompt. */
  readonly server: ToolServer | null;
  /** Closes the input, which ends the program. */
  end(): void;
}

function inputOf(
  { prompt, tools }: ClaudeTurnOptions,
  { watch, signal }: { readonly watch: TurnWatch; readonly signal: AbortSignal },
): TurnInput {
  if (tools === undefined) return { source: prompt, server: null, end: () => {} };
  const source = new PassThrough();
  const write = (line: string): void => {
    if (source.writable) source.write(`${line}\n`);
  };
  // A user may think, and a tool may work, without a limit.
  const server = createToolServer({ tools, write, signal, during: (work) => watch.pausedFor(work) });
  write(userMessage(prompt));
  return { source, server, end: () => void source.end() };
}

/** Reads the turn's lines. Stops the turn if an event or an answer cannot be stored, because the rest would be lost too. */
async function listen(
  output: PassThrough,
  hear: (line: string) => void,
  stop: AbortController,
): Promise<{ readonly error: unknown } | null> {
  try {
    for await (const line of readLines(output, maxLineChars)) hear(line);
    return null;
  } catch (error) {
    stop.abort();
    return { error };
  }
}

/** One line holds a whole answer, or a whole file. */
const maxLineChars = 64 * 1024 * 1024;
