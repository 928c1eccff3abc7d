/**
 * Performs one turn of an exchange as a durable step: renders it, calls the advisor, reads the answer, records it all.
 */
import type { Cached, EventAgent, EventBody } from '../../events/collab-event.ts';
import type { AskInput, AskOutput, TurnRecord, TurnVerdict } from '../../machine/exchange/exchange-types.ts';
import type { TurnOutcome, TurnReading } from '../../machine/exchange/read-turn.ts';
import { changedLinesOf, countLines } from '../../parsers/diff/ranges.ts';
import type { ConsultRequest, RenderedPrompt } from '../../prompts/request.ts';
import type { RenderOptions } from '../../prompts/render-request.ts';
import { closingOf, renderCutAgain } from '../../prompts/repair/repair.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import { masked } from '../../secrets/mask-secrets.ts';
import { renderAfresh, renderMessage } from './advisor-prompt.ts';
import type { AgentReach } from './agent-reach.ts';
import type { Clock } from '../../system/clock.ts';
import { sha256 } from '../../text/digest.ts';
import { closingNonce, fenceNonce } from './fence-nonce.ts';
import { makePaidCall, type CallTerms } from './paid-call.ts';
import type { RunContext, StepAttempt, StepResult } from '../../engine/port.ts';
import type { Recall, Recalled } from '../cache/review-cache.ts';
import { limitsIn, type LimitSettings } from '../folder/run-settings.ts';
import { waitBeforeRepeat } from './retry-delay.ts';
import { reader } from '../reading/reader.ts';
import { warmUpWhileWaiting } from './preload.ts';

export interface AskOptions extends CallTerms {
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
  /** Returns the model that the agent named; null if it named none. Called after `introduce`. */
  readonly model: () => string | null;
  readonly promptLimit: number | null;
  readonly fenceSeed: string;
  readonly runFolder: string;
  readonly clock: Clock;
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
  const prompt = masked(rendered.text);
  const question = masked(input.request.question);
  const exchangeId = idOf(input.exchange.name);
  return context.child(input.exchange.path, (exchange) =>
    exchange.step(
      `turn-${input.turn}`,
      { tag: input.request.tag, message: input.message.kind, prompt: sha256(prompt) },
      (attempt) => perform({ options, input, rendered, prompt, question, attempt, exchangeId }),
      { guarded: true },
    ),
  );
}

function idOf(exchange: string): string {
  return `ex_${exchange}`;
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
  const recalled = await recall(turn);
  if (turn.input.message.kind !== 'reverse_answer') announce(turn, recalled);
  if (recalled?.kind === 'answered') return answerFromCache(turn, recalled);
  const begunAt = clock.now();
  const closing = closingNonce(options.fenceSeed, input.exchange);
  const { said, outcome } = await call(turn);
  const facts = { promptCharacters: said.prompt.length, closing };
  const reading = await reader.turn(input, outcome, facts, attempt.signal);
  const isLast = reading.action === 'exhausted' || reading.action === 'unavailable';
  if (isLast) options.reach.end(turn.exchangeId, outcome);
  const remember = isRemembered(outcome, isLast) || options.remembersRefusal?.(input.request) === true;
  if (!remember) turn.options.onRefusal();
  const record = recordOf(said, outcome, reading, clock.now() - begunAt);
  const heard = {
    input,
    reading,
    text: outcome.kind === 'answered' ? outcome.text : null,
    closing,
    promptDigest: record.promptDigest,
    shown: record.shown,
    answeredAt: new Date(clock.now()).toISOString(),
  };
  await options.recall?.hear(heard, attempt.signal);
  for (const event of closingEvents(turn.input, reading)) emit(turn, event);
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
async function recall({ input, options, attempt }: Ask): Promise<Recalled | null> {
  const isFirst = input.turn === 1 && input.message.kind === 'request' && attempt.lostSessionId === null;
  return isFirst ? ((await options.recall?.find(input, attempt.signal)) ?? null) : null;
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

/** If the thread of an answer is gone, a new thread gets request, question and answer together. */
async function call(turn: Ask): Promise<Called> {
  const { options, input, attempt, prompt, exchangeId } = turn;
  const { advisor, reach } = options;
  let said = turn;
  const outcome = await makePaidCall({
    terms: options,
    attempt,
    name: `${exchangeId}/${input.turn}`,
    prompt,
    sessionId: input.sessionId,
    again: () => renderCutAgain(closingOf(input.request, renderOptions(input, options))),
    afresh() {
      const rendered = renderAfresh(input, renderOptions(input, options));
      if (rendered === null) return null;
      said = { ...turn, rendered, prompt: masked(rendered.text) };
      announce(said, null);
      return said.prompt;
    },
    refusal: () => reach.refusal(),
    harvest: (sessionId, callId) => advisor.harvest(sessionId, callId),
    turn(paid) {
      reach.ask(exchangeId);
      return advisor.turn({
        ...paid,
        request: options.requestForAgent(input.request),
        limits: limitsIn(options.limits, exchangeSpecOf(input.request.tag).phase),
        async bind(sessionId) {
          await paid.bind(sessionId);
          warmUpWhileWaiting(input.request.tag);
        },
      });
    },
    emit(event) {
      reach.hear(event);
      emit(turn, event);
    },
  });
  return { said, outcome };
}

/** A turn after an answered reverse request continues its attempt: in terms of the protocol, nothing new is sent. */
function announce(turn: Ask, recalled: Recalled | null): void {
  const model = turn.options.model();
  const agent = model === null ? turn.options.agent : { ...turn.options.agent, model };
  const sent: EventBody = {
    type: 'exchange.sent',
    tag: turn.input.request.tag,
    attempt: turn.input.attempt,
    ...parentOf(turn.input),
    prompt_bytes: Buffer.byteLength(turn.prompt),
    prompt_ref: turn.attempt.keep(turn.prompt),
    ...aboutRequest(turn),
    ...(recalled?.kind === 'answered' ? { cached: sourceOf(recalled.cached) } : {}),
    ...(recalled?.kind === 'fault' ? { cache_fault: recalled.fault } : {}),
  };
  turn.attempt.emit(sent, { agent, exchangeId: turn.exchangeId });
}

function parentOf({ exchange: { parent } }: AskInput): { parent_exchange_id?: string } {
  return parent === undefined ? {} : { parent_exchange_id: idOf(parent) };
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
    case 'rejected': {
      const { reason, detail, score } = verdict;
      return {
        type: 'exchange.rejected',
        reason,
        detail,
        ...(score === undefined ? {} : { score }),
        action,
      };
    }
  }
}

function emit(turn: Ask, event: EventBody): void {
  turn.attempt.emit(event, { agent: turn.options.agent, exchangeId: turn.exchangeId });
}
