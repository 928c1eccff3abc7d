/**
 * Performs one turn of an exchange as a durable step: renders it, calls the advisor, reads the answer, records it all.
 */
import type { Cached, EventAgent, EventBody } from '../../events/collab-event.ts';
import type { AskInput, AskOutput, TurnRecord, TurnVerdict } from '../../machine/exchange/exchange-types.ts';
import { readTurn, type TurnOutcome, type TurnReading } from '../../machine/exchange/read-turn.ts';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import type { ConsultRequest, RenderedPrompt } from '../../prompts/request.ts';
import type { RenderOptions } from '../../prompts/render-request.ts';
import { closingOf, renderCutAgain } from '../../prompts/repair/repair.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import { renderAfresh, renderMessage } from './advisor-prompt.ts';
import { writeBlob } from '../../engine/journal/blobs.ts';
import type { Budget } from './budget.ts';
import type { AgentReach } from './agent-reach.ts';
import { callWithin } from './budgeted-call.ts';
import type { Clock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { closingNonce, fenceNonce } from './fence-nonce.ts';
import { recoverLostCall } from './lost-call.ts';
import type { RunContext, StepAttempt, StepResult } from '../../engine/port.ts';
import type { RunDeadline } from './deadline.ts';
import type { Recall, Recalled } from '../cache/review-cache.ts';
import { limitsIn, type LimitSettings } from '../folder/run-settings.ts';
import { waitBeforeRepeat } from './retry-delay.ts';
import { warmUpWhileWaiting } from './preload.ts';

export interface AskOptions {
  /** Aborted when the machine leaves the state that asks. */
  readonly actorSignal: AbortSignal;
  /** Returns the request that the agent itself gets when the prompt is masked. */
  readonly requestForAgent: (request: ConsultRequest) => ConsultRequest;
  /** Called when the turn ends with a refusal that is not remembered. */
  readonly onRefusal: () => void;
  /**
   * Returns true for a refusal that must be remembered although it usually is not, because the run continues without
   * this answer.
   */
  readonly remembersRefusal?: (request: ConsultRequest) => boolean;
  /** The answers of earlier runs; null if none are used. */
  readonly recall?: Recall | null;
  /** Reports once who takes part, before the first call. */
  readonly introduce: () => Promise<unknown>;
  readonly advisor: Advisor;
  readonly agent: EventAgent;
  readonly promptLimit: number | null;
  readonly fenceSeed: string;
  readonly runFolder: string;
  readonly clock: Clock;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  readonly reach: AgentReach;
  readonly limits: LimitSettings;
  /** Before the 1st, 2nd, 3rd repeat if the agent names no time itself; jitter is added. */
  readonly waitsMs: readonly number[];
}

interface Ask {
  readonly options: AskOptions;
  readonly input: AskInput;
  readonly rendered: RenderedPrompt;
  readonly prompt: string;
  /** The lead's question, secrets masked. */
  readonly question: string;
  readonly attempt: StepAttempt;
  readonly exchangeId: string;
}

export async function ask(context: RunContext, input: AskInput, options: AskOptions): Promise<AskOutput> {
  const rendered = renderMessage(input, renderOptions(input, options));
  const prompt = maskSecrets(rendered.text).text;
  const question = maskSecrets(input.request.question).text;
  const exchangeId = `ex_${input.exchange.name}`;
  return context.child(input.exchange.path, (exchange) =>
    exchange.step(
      `turn-${input.turn}`,
      { tag: input.request.tag, message: input.message.kind, prompt: sha256(prompt) },
      (attempt) => perform({ options, input, rendered, prompt, question, attempt, exchangeId }),
    ),
  );
}

function renderOptions({ exchange, turn }: AskInput, { promptLimit, fenceSeed }: AskOptions): RenderOptions {
  return {
    budgetCharacters: promptLimit,
    nonce: fenceNonce(fenceSeed, `${exchange.path}/turn-${turn}`),
    closing: closingNonce(fenceSeed, exchange),
  };
}

async function perform(turn: Ask): Promise<StepResult<AskOutput>> {
  const { input, options, attempt } = turn;
  const { clock } = options;
  if (input.wait !== null) await waitBeforeRepeat({ ...options, ...input.wait, signal: attempt.signal });
  await turn.options.introduce();
  const recalled = recall(turn);
  if (turn.input.message.kind !== 'reverse_answer') announce(turn, recalled);
  if (recalled?.kind === 'answered') return answerFromCache(turn, recalled);
  const begunAt = clock.now();
  const closing = closingNonce(options.fenceSeed, input.exchange);
  const { said, outcome } = await callOrAfresh(turn);
  const reading = readTurn(turn.input, outcome, { promptCharacters: said.prompt.length, closing });
  const isLast = reading.action === 'exhausted' || reading.action === 'unavailable';
  if (isLast) options.reach.end(turn.exchangeId, outcome);
  const remember = isRemembered(outcome, isLast) || options.remembersRefusal?.(input.request) === true;
  if (!remember) turn.options.onRefusal();
  const record = recordOf(said, outcome, reading, clock.now() - begunAt);
  for (const event of closingEvents(turn.input, reading)) emit(turn, event);
  options.recall?.hear({
    input,
    reading,
    text: outcome.kind === 'answered' ? outcome.text : null,
    closing,
    promptDigest: record.promptDigest,
    shown: record.shown,
    answeredAt: new Date(clock.now()).toISOString(),
  });
  return {
    value: {
      ...reading,
      sessionId: 'sessionId' in outcome ? outcome.sessionId : turn.input.sessionId,
      record,
    },
    remember,
  };
}

/** Searches the cache. A call that may have been paid for is looked up at the agent instead. */
function recall({ input, options, attempt }: Ask): Recalled | null {
  const isFirst = input.turn === 1 && input.message.kind === 'request' && attempt.lostSessionId === null;
  return isFirst ? (options.recall?.find(input) ?? null) : null;
}

function answerFromCache(
  turn: Ask,
  { cached, reading }: Extract<Recalled, { kind: 'answered' }>,
): StepResult<AskOutput> {
  for (const event of closingEvents(turn.input, reading)) emit(turn, event);
  const record: TurnRecord = {
    attempt: turn.input.attempt,
    rejected: null,
    promptBytes: 0,
    answerBytes: Buffer.byteLength(cached.answer),
    durationMs: 0,
    promptDigest: cached.prompt_digest,
    answerDigest: sha256(cached.answer),
    shown: cached.shown,
    usage: null,
    cached: sourceOf(cached),
  };
  return { value: { ...reading, sessionId: null, record } };
}

function sourceOf({ run_id, answered_at }: Cached): Cached {
  return { run_id, answered_at };
}

interface Called {
  /** The turn with the prompt that was finally sent. */
  readonly said: Ask;
  readonly outcome: TurnOutcome;
}

/**
 * Sends an answer; if its thread is gone, nothing was sent yet, so a new thread gets request, question and answer
 * together.
 */
async function callOrAfresh(turn: Ask): Promise<Called> {
  const outcome = await call(turn);
  const gone = outcome.kind === 'cut' && outcome.sessionId === null && turn.input.sessionId !== null;
  const rendered = gone ? renderAfresh(turn.input, renderOptions(turn.input, turn.options)) : null;
  if (rendered === null) return { said: turn, outcome };
  const said = { ...turn, rendered, prompt: maskSecrets(rendered.text).text };
  announce(said, null);
  return { said, outcome: await send(said, said.prompt, null) };
}

/** A turn after an answered reverse request continues its attempt: in terms of the protocol, nothing new is sent. */
function announce(turn: Ask, recalled: Recalled | null): void {
  emit(turn, {
    type: 'exchange.sent',
    tag: turn.input.request.tag,
    attempt: turn.input.attempt,
    prompt_bytes: Buffer.byteLength(turn.prompt),
    prompt_ref: writeBlob(turn.options.runFolder, turn.prompt),
    ...aboutRequest(turn),
    ...(recalled?.kind === 'answered' ? { cached: sourceOf(recalled.cached) } : {}),
    ...(recalled?.kind === 'fault' ? { cache_fault: recalled.fault } : {}),
  });
}

/** The prompt contains all of it; this is for readers of the record. */
function aboutRequest({ input, question }: Ask): {
  question?: string;
  files?: { path: string; lines: number }[];
} {
  if (input.message.kind !== 'request') return {};
  const files = (input.request.change ?? []).map((file) => ({
    path: file.path,
    lines: countLines(changedLinesOf([file])),
  }));
  return {
    ...(input.turn === 1 && question !== '' ? { question } : {}),
    ...(files.length === 0 ? {} : { files }),
  };
}

async function call(turn: Ask): Promise<TurnOutcome> {
  const { deadline, advisor, reach } = turn.options;
  const { attempt } = turn;
  if (deadline.signal.aborted) return deadline.refusal();
  const refusal = reach.refusal();
  if (refusal !== null) return refusal;
  reach.ask(turn.exchangeId);
  const lost = await recoverLostCall(attempt, (sessionId) =>
    advisor.harvest(sessionId, `${turn.exchangeId}/${turn.input.turn}`),
  );
  switch (lost?.kind) {
    case 'ended':
      if (lost.result.kind === 'answered') tellEnd(turn, lost.result);
      return lost.result;
    case 'go_on':
      return send(
        turn,
        renderCutAgain(closingOf(turn.input.request, renderOptions(turn.input, turn.options))),
        lost.sessionId,
      );
    default:
      return send(turn, turn.prompt, turn.input.sessionId);
  }
}

/** For an answer that was found again; the process that died recorded its start. */
function tellEnd(turn: Ask, { stopReason, usage }: Extract<TurnOutcome, { kind: 'answered' }>): void {
  emit(turn, { type: 'turn.ended', stop_reason: stopReason, usage });
}

async function send(turn: Ask, prompt: string, sessionId: string | null): Promise<TurnOutcome> {
  const { attempt, input, options } = turn;
  try {
    return await callWithin(options.budget, { prompt, emit: (event) => emit(turn, event) }, (heard) =>
      options.advisor.turn({
        request: options.requestForAgent(input.request),
        prompt,
        callId: `${turn.exchangeId}/${input.turn}/${attempt.number}`,
        sessionId,
        signal: AbortSignal.any([attempt.signal, options.actorSignal, options.deadline.signal]),
        limits: limitsIn(options.limits, exchangeSpecOf(input.request.tag).phase),
        emit(event) {
          options.reach.hear(event);
          heard(event);
        },
        async bind(boundSessionId) {
          await attempt.bind(boundSessionId);
          warmUpWhileWaiting(input.request.tag);
        },
      }),
    );
  } catch (error) {
    const ours = attempt.signal.aborted || options.actorSignal.aborted;
    if (!ours && options.deadline.signal.aborted) return options.deadline.ended();
    throw error;
  }
}

/**
 * Returns false for an outcome that a second start of the run may change: no login, a call that was never made, and, as
 * the end of an exchange, a time limit or a model out of reach.
 */
export function isRemembered(outcome: TurnOutcome, isLast = true): boolean {
  switch (outcome.kind) {
    case 'unavailable':
      return outcome.code !== 'auth' && outcome.code !== 'cli_missing';
    case 'refused':
      return outcome.made && outcome.cause !== 'time';
    case 'timed_out':
      return !isLast || outcome.limit === 'context';
    case 'overloaded':
      return !isLast || outcome.unreachable !== true;
    default:
      return true;
  }
}

function recordOf(turn: Ask, outcome: TurnOutcome, reading: TurnReading, durationMs: number): TurnRecord {
  const answer = outcome.kind === 'answered' ? outcome.text : null;
  return {
    attempt: turn.input.attempt,
    rejected: reading.verdict.kind === 'rejected' ? reading.verdict.reason : null,
    promptBytes: Buffer.byteLength(turn.prompt),
    answerBytes: answer === null ? 0 : Buffer.byteLength(answer),
    durationMs: Math.round(durationMs),
    promptDigest: sha256(turn.prompt),
    answerDigest: answer === null ? null : sha256(answer),
    shown: turn.rendered.shown,
    usage: outcome.kind === 'answered' ? outcome.usage : null,
    ...(outcome.kind === 'answered' && outcome.covered !== undefined ? { covered: outcome.covered } : {}),
  };
}

function closingEvents(input: AskInput, { verdict, action, spent }: TurnReading): readonly EventBody[] {
  const events = [verdictEvent(input, verdict, action)];
  if (action !== 'settled' && action !== 'exhausted' && action !== 'unavailable') return events;
  return [...events, { type: 'exchange.ended', outcome: action, attempts: spent.attempts }];
}

function verdictEvent(input: AskInput, verdict: TurnVerdict, action: TurnReading['action']): EventBody {
  switch (verdict.kind) {
    case 'settled':
      return {
        type: 'exchange.received',
        tag: exchangeSpecOf(input.request.tag).answer,
        sections: Object.fromEntries(verdict.block.sections.map((section) => [section.name, section.text])),
        ...(verdict.issues === null ? {} : { issues: verdict.issues.length }),
        ...(verdict.mergedFrom.length > 1 ? { merged_from: [...verdict.mergedFrom] } : {}),
      };
    case 'asked_back':
      return { type: 'exchange.asked_back', tag: verdict.request.tag, text: verdict.request.text };
    case 'rejected':
      return { type: 'exchange.rejected', reason: verdict.reason, detail: verdict.detail, action };
  }
}

function emit(turn: Ask, event: EventBody): void {
  turn.attempt.emit(event, { agent: turn.options.agent, exchangeId: turn.exchangeId });
}
