/**
 * One paid call of an agent, made by a step: within the run's time and budget, and repeated at most once after it was lost
 * with its process.
 */
import type { EventBody } from '../../events/collab-event.ts';
import type { StepAttempt } from '../../engine/port.ts';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import type { Harvest, TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import type { Budget } from './budget.ts';
import { callWithin } from './budgeted-call.ts';
import type { RunDeadline } from './deadline.ts';

/** The conditions of every call of a run. */
export interface CallTerms {
  readonly deadline: Pick<RunDeadline, 'signal' | 'refusal' | 'ended'>;
  readonly budget: Budget;
  /** Aborted when the machine leaves the state that asks. */
  readonly actorSignal: AbortSignal;
}

export interface PaidCall {
  readonly terms: CallTerms;
  readonly attempt: Pick<StepAttempt, 'number' | 'lostSessionId' | 'signal' | 'bind' | 'recorded'>;
  /** The prefix that the ids of all attempts of the call share. */
  readonly name: string;
  readonly prompt: string;
  /** The session that the prompt continues; null for a new one. */
  readonly sessionId: string | null;
  /** Renders the prompt for a session that has `prompt` already and was cut. */
  readonly again: () => string;
  /** Renders the prompt for a new session if `sessionId` is gone, so nothing was sent; null if the call then ends. */
  readonly afresh: () => string | null;
  /** Returns another reason not to make the call. Default: none. */
  readonly refusal?: () => TurnOutcome | null;
  readonly harvest: (sessionId: string, callId: string) => Promise<Harvest>;
  readonly turn: (call: TurnCall) => Promise<TurnResult>;
  readonly emit: (event: EventBody) => void;
  /** Receives the text of an answer that was found again. The process that died recorded the start of its turn. */
  readonly onFound?: (text: string) => void;
}

/** Attempts of one call, over all processes of the run. */
const mostAttempts = 2;

/** Rejects only with the reason of the step's or the actor's signal, and for our own bugs. */
export async function makePaidCall(call: PaidCall): Promise<TurnOutcome> {
  const { deadline } = call.terms;
  const refusal = deadline.signal.aborted ? deadline.refusal() : (call.refusal?.() ?? null);
  if (refusal !== null) return refusal;
  const outcome = await firstOutcome(call);
  const gone = outcome.kind === 'cut' && outcome.sessionId === null && call.sessionId !== null;
  const prompt = gone ? call.afresh() : null;
  return prompt === null ? outcome : send(call, prompt, null);
}

/**
 * Looks up a lost call first. The limit applies to any result of `harvest`: an agent whose state folder is gone finds
 * no trace of a call that was paid for.
 */
async function firstOutcome(call: PaidCall): Promise<TurnOutcome> {
  const { attempt, prompt, sessionId } = call;
  const { lostSessionId } = attempt;
  if (lostSessionId === null) return send(call, prompt, sessionId);
  const found = await call.harvest(lostSessionId, call.name);
  if (found.kind === 'answered') {
    const { stopReason = null, usage } = found;
    call.onFound?.(found.text);
    call.emit({ type: 'turn.ended', stop_reason: stopReason, usage });
    return { ...found, sessionId: lostSessionId, stopReason };
  }
  if (attempt.number > mostAttempts) {
    const message = 'the call was lost twice with its process';
    return { kind: 'cut', message, sessionId: lostSessionId, uncounted: false };
  }
  return found.kind === 'not_sent' ? send(call, prompt, sessionId) : send(call, call.again(), lostSessionId);
}

async function send(call: PaidCall, prompt: string, sessionId: string | null): Promise<TurnOutcome> {
  const { attempt, name } = call;
  const { deadline, budget, actorSignal } = call.terms;
  const signal = AbortSignal.any([attempt.signal, actorSignal, deadline.signal]);
  try {
    return await callWithin(budget, { prompt, emit: call.emit, signal }, async (emit) => {
      // A process that was stopped since the step began may have lost the run.
      await attempt.recorded();
      signal.throwIfAborted();
      return call.turn({
        prompt,
        callId: `${name}/${attempt.number}`,
        sessionId,
        signal,
        emit,
        bind: (boundSessionId) => attempt.bind(boundSessionId),
      });
    });
  } catch (error) {
    const ours = attempt.signal.aborted || actorSignal.aborted;
    if (!ours && deadline.signal.aborted) return deadline.ended();
    throw error;
  }
}
