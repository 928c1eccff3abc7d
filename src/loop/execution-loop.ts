/**
 * The only tool loop (004): a model turn, the calls it requests, their results, the next turn. It ends with the model's text
 * when a turn calls no tools, after 25 turns, at a limit, or with an error, which is returned as a value.
 */
import type { EventBody, Usage } from '../events/collab-event.ts';
import type { TurnResult } from '../providers/contract/contract.ts';
import type { TurnLimits } from '../config/settings.ts';
import type {
  Model,
  ModelFailure,
  ModelReply,
  SaidPart,
  ToolResultPart,
} from '../providers/contract/model.ts';
import {
  isPassing,
  planRepeat,
  tooLongWaitMs,
  withLongWait,
  type RepeatRules,
} from '../providers/contract/repeat-policy.ts';
import { isCutShort } from '../providers/contract/stop-reason.ts';
import { startWatch, type TurnWatch } from '../providers/program/turn-watch.ts';
import type { LimitName } from '../providers/program/watch-limits.ts';
import { createToolChooser, turnsRemembered, type ToolChooser } from '../tools/definition/choose-tools.ts';
import type { Tool } from '../tools/definition/interfaces.ts';
import { withheldNotices } from '../prompts/conversation/loop-notices.ts';
import { addUsage } from './add-usage.ts';
import { failureEvent } from './failure-event.ts';
import {
  addPrompt,
  addReply,
  addResults,
  calledLately,
  callsIn,
  lastPrompt,
  textIn,
  type History,
} from './history.ts';
import { orAborted } from '../system/or-aborted.ts';
import { performCalls } from './perform-calls.ts';
import { createFailureCount } from './repeated-failure.ts';
import type { ToolPolicy } from './tool-policy.ts';
import { createTurnEvents } from './turn-events.ts';
import type { CallSetting } from './perform-call.ts';

export interface LoopOptions extends Pick<CallSetting, 'tools' | 'policy' | 'clock' | 'signal' | 'emit'> {
  readonly model: Model;
  readonly system: string;
  /** Chooses the tools that each turn offers to the model; if absent, the ones that fit best when there are many. */
  readonly chooser?: ToolChooser;
  readonly limits: TurnLimits;
  /** For requests that fail before anything of their answer was shown; absent: the caller repeats. */
  readonly repeats?: RepeatRules;
  /** The last message is the prompt for the model. */
  readonly history: History;
  /** The prefix of block and call ids. */
  readonly callId: string;
  /** Called with the history whenever it grows. */
  readonly keep: (history: History) => void;
}

/** Like a `TurnResult`, without a session. Usage is the total of all turns. */
export type LoopEnd =
  | {
      readonly kind: 'answered';
      readonly text: string;
      /** The model's own stop reason, or the reason it had to answer: `max_iterations`, `repeated_failure`. */
      readonly stopReason: string | null;
      readonly usage: Usage | null;
    }
  | Extract<TurnResult, { kind: 'unavailable' }>
  | { readonly kind: 'timed_out'; readonly limit: LimitName | 'context'; readonly message: string }
  | Exclude<ModelFailure, { kind: 'unavailable' | 'timed_out' }>;

export const maxIterations = 25;

/** Rejects for bugs of collab and, with the signal's reason, for an abort; nothing is left open then. */
export async function runLoop(options: LoopOptions): Promise<LoopEnd> {
  const watch = startWatch(options.limits, options.clock);
  const limit = new AbortController();
  void watch.passed.then((name) => limit.abort(new LimitPassed(name)));
  try {
    const { chooser = createToolChooser(options.tools) } = options;
    const signal = AbortSignal.any([options.signal, limit.signal]);
    return await iterate({ ...options, chooser, watch, signal, waitedMs: 0 });
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof LimitPassed)) throw error;
    return fail(options, { kind: 'timed_out', limit: error.limit, message: limitTexts[error.limit] });
  } finally {
    watch.stop();
    limit.abort();
  }
}

class LimitPassed extends Error {
  readonly limit: LimitName;
  constructor(limit: LimitName) {
    super(limitTexts[limit]);
    this.limit = limit;
  }
}

const limitTexts: Readonly<Record<LimitName, string>> = {
  first_sign: 'the model did not begin to answer in time',
  first_byte: 'the model sent no byte of an answer in time',
  idle: 'the model fell silent',
  total: 'the model did not finish in time',
};

interface Running extends LoopOptions {
  readonly watch: TurnWatch;
  readonly chooser: ToolChooser;
  /** The sum of the waits so far, in milliseconds. */
  waitedMs: number;
}

/** The reason the model must answer without tools. */
type Withheld = 'max_iterations' | 'repeated_failure' | null;

async function iterate(running: Running): Promise<LoopEnd> {
  let { history } = running;
  let usage: Usage | null = null;
  let withheld: Withheld = null;
  const wish = lastPrompt(history);
  const failures = createFailureCount();
  for (let round = 1; ; round += 1) {
    if (round === maxIterations) withheld = 'max_iterations';
    if (withheld !== null) history = addPrompt(history, withheldNotices[withheld]);
    const called = calledLately(history, turnsRemembered);
    const tools = await orAborted(running.chooser.choose({ text: wish, called }), running.signal);
    const reply = await turnWithRepeats(running, { tools, messages: history, round, withheld });
    usage = addUsage(usage, reply.usage);
    if (reply.end.kind !== 'said') return fail(running, reply.end);
    const { parts, stopReason } = reply.end;
    // The arguments of a call that was cut off may be incomplete.
    const isLast = withheld !== null || isCutShort(stopReason) || callsIn(parts).length === 0;
    history = addReply(history, isLast ? withoutCalls(parts) : parts);
    running.keep(history);
    if (isLast) return answer(running, { text: textIn(parts), stopReason: withheld ?? stopReason, usage });
    const results = await useTools(running, { parts, injected: tools, round });
    history = addResults(history, results);
    running.keep(history);
    if (failures.count(callsIn(parts), results) >= 3) withheld = 'repeated_failure';
  }
}

interface Asking {
  readonly tools: readonly Tool[];
  readonly messages: History;
  readonly round: number;
  readonly withheld: Withheld;
}

interface Reply extends ModelReply {
  /** True if a part of the answer was shown: a repeat would show it twice. */
  readonly shown: boolean;
}

/** Repeats a request that failed for a while. Its usage is that of all attempts. */
async function turnWithRepeats(running: Running, asking: Asking): Promise<ModelReply> {
  const { clock, signal, watch, repeats, emit } = running;
  let usage: Usage | null = null;
  for (let number = 1; ; number += 1) {
    const { shown, end, usage: used } = await turn(running, asking);
    usage = addUsage(usage, used);
    if (repeats === undefined || shown || !isPassing(end)) return { end, usage };
    const moment = { number, random: Math.random(), waitedMs: running.waitedMs };
    const waitMs = planRepeat(end, repeats, moment);
    if (waitMs === null) return { end: givenUp(end, repeats, number), usage };
    emit({ ...failureEvent(end), repeat_in_ms: waitMs });
    running.waitedMs += waitMs;
    watch.waits(waitMs);
    await clock.sleep(waitMs, signal);
  }
}

/** Adds to the message why there is no further repeat. */
function givenUp<End extends Extract<ModelFailure, { kind: 'overloaded' | 'cut' }>>(
  end: End,
  { longestMs }: RepeatRules,
  attempts: number,
): End {
  const tooLongMs = end.kind === 'overloaded' ? tooLongWaitMs(end, longestMs) : null;
  const message = attempts === 1 ? end.message : `${end.message} (${attempts} attempts)`;
  return { ...end, message: tooLongMs === null ? message : withLongWait(message, tooLongMs) };
}

async function turn(running: Running, { tools, messages, round, withheld }: Asking): Promise<Reply> {
  const { model, system, signal, watch, callId, emit } = running;
  const events = createTurnEvents({ prefix: `${callId}/${round}`, followUp: round > 1, emit });
  let shown = false;
  const say: Parameters<Model['turn']>[0]['say'] = (sign) => {
    watch.heardModel();
    shown ||= sign.kind !== 'begun' && sign.kind !== 'alive';
    events.hear(sign);
  };
  const toolChoice = withheld === null ? 'auto' : 'none';
  watch.requested();
  try {
    const work = model.turn({ system, messages, tools, toolChoice, signal, say });
    const reply = await orAborted(work, signal);
    events.close(reply.end.kind === 'said' ? reply.end.stopReason : 'error', reply.usage);
    return { ...reply, shown };
  } catch (error) {
    events.close(error instanceof LimitPassed ? 'error' : 'aborted', null);
    throw error;
  }
}

interface Calling {
  readonly parts: readonly SaidPart[];
  readonly injected: readonly Tool[];
  readonly round: number;
}

async function useTools(
  { tools, policy, clock, signal, callId, watch, emit }: Running,
  { parts, injected, round }: Calling,
): Promise<readonly ToolResultPart[]> {
  watch.sawEvent();
  const calls = callsIn(parts);
  const setting = {
    tools,
    injected,
    policy: {
      ...policy,
      // The user may take any time to answer.
      ask: (...question: Parameters<ToolPolicy['ask']>) => watch.pausedFor(() => policy.ask(...question)),
    },
    clock,
    signal,
    prefix: `${callId}/${round}`,
    emit(event: EventBody) {
      watch.sawEvent();
      emit(event);
    },
  };
  // Tools that change something have their own limits: a build or a consult may be silent for longer than a model.
  const works = calls.some(({ name }) => tools.some((tool) => tool.name === name && !tool.readOnly));
  const results = await (works
    ? watch.pausedFor(() => performCalls(calls, setting))
    : performCalls(calls, setting));
  watch.sawEvent();
  return results;
}

function withoutCalls(parts: readonly SaidPart[]): readonly SaidPart[] {
  return parts.filter(({ type }) => type !== 'tool_call');
}

type Answer = Pick<Extract<LoopEnd, { kind: 'answered' }>, 'text' | 'stopReason' | 'usage'>;

function answer(options: LoopOptions, { text, stopReason, usage }: Answer): LoopEnd {
  if (text.trim() !== '') return { kind: 'answered', text, stopReason, usage };
  return fail(options, { kind: 'empty', message: emptyTexts(stopReason) });
}

function emptyTexts(stopReason: string | null): string {
  switch (stopReason) {
    case 'max_iterations':
      return `the model used all ${maxIterations} turns on tools and wrote no text`;
    case 'repeated_failure':
      return 'the model made the same failing call three times and wrote no text';
    case 'max_tokens':
      return 'the answer reached its token limit before it contained any text';
    default:
      return 'the model ended its turn without a text';
  }
}

type LoopFailure = Exclude<LoopEnd, { kind: 'answered' }>;

function fail(options: LoopOptions, end: LoopFailure): LoopEnd {
  options.emit(failureEvent(end));
  return end;
}
