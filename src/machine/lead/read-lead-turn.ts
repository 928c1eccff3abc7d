/**
 * Decides what one call of the lead led to: its text, or the next action. Pure; called by the step that made the call.
 */
import type { Budgets } from '../../config/repair-budgets.ts';
import { sizeProblem, stoppedProblem } from '../../parsers/markdown/answer-size.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';
import { tooLongWaitMs, withLongWait } from '../../providers/contract/repeat-policy.ts';
import { isCutShort } from '../../providers/contract/stop-reason.ts';
import type { TurnOutcome } from '../exchange/read-turn.ts';
import type { LeadFailure, LeadSpent, LeadAskOutput } from './lead-types.ts';

export type LeadTurnReading = Pick<
  LeadAskOutput,
  'action' | 'text' | 'failure' | 'retryAfterMs' | 'spent' | 'tooLong'
>;

/** How often a turn that was cut, too long, timed out or empty is repeated. */
const repeats = 1;

export interface LeadTurnRules extends Pick<Budgets, 'waiting'> {
  /** The agent that was called, for messages: an advisor may check findings in place of the lead. Default: `lead`. */
  readonly asked?: 'lead' | 'advisor';
}

export function readLeadTurn(outcome: TurnOutcome, spent: LeadSpent, rules: LeadTurnRules): LeadTurnReading {
  const base = { text: null, failure: null, retryAfterMs: null, spent };
  switch (outcome.kind) {
    case 'answered':
      return readAnswered(outcome, spent, rules);
    case 'overloaded':
      return waitOrGiveUp(outcome, spent, rules);
    case 'cut':
      return outcome.uncounted
        ? { ...base, action: 'repeating' }
        : repeat({ cause: 'died', detail: outcome.message, hint: null }, spent);
    case 'empty':
      return repeat({ cause: 'protocol', detail: outcome.message, hint: null }, spent);
    case 'timed_out':
      return outcome.limit === 'context'
        ? { ...base, action: 'exhausted', failure: { cause: 'context', detail: outcome.message, hint: null } }
        : repeat(
            {
              cause: outcome.limit === 'first_byte' ? 'silent' : 'time',
              detail: outcome.message,
              hint: null,
            },
            spent,
          );
    case 'unavailable':
      return { ...base, action: 'unavailable', failure: failureOf(outcome) };
    case 'refused':
      return {
        ...base,
        action: 'exhausted',
        failure: { cause: outcome.cause, detail: outcome.message, hint: null },
      };
    default:
      return outcome satisfies never;
  }
}

function readAnswered(
  { text, stopReason }: Extract<TurnOutcome, { kind: 'answered' }>,
  spent: LeadSpent,
  { asked = 'lead' }: LeadTurnRules,
): LeadTurnReading {
  const stopped = stoppedProblem(stopReason);
  if (stopped === null && text.trim() === '') {
    return repeat(faulty(`the ${asked} returned no text`), spent);
  }
  // Its end is missing: a request, a verdict, a part of the draft.
  if (isCutShort(stopReason)) {
    return { ...repeat(faulty(`the ${asked}'s answer was cut at its length limit`), spent), tooLong: true };
  }
  const problem = stopped ?? sizeProblem(text);
  const base = { retryAfterMs: null, spent };
  if (problem === null) return { ...base, action: 'answered', text, failure: null };
  return { ...base, action: 'exhausted', text: null, failure: faulty(`the ${asked}'s answer ${problem}`) };
}

function faulty(detail: string): LeadFailure {
  return { cause: 'protocol', detail, hint: null };
}

function repeat(failure: LeadFailure, spent: LeadSpent): LeadTurnReading {
  const again = spent.repeating < repeats;
  return {
    action: again ? 'repeating' : failure.cause === 'died' ? 'unavailable' : 'exhausted',
    text: null,
    failure,
    retryAfterMs: null,
    spent: again ? { ...spent, repeating: spent.repeating + 1 } : spent,
  };
}

function waitOrGiveUp(
  { message, retryAfterMs, unreachable }: Extract<TurnOutcome, { kind: 'overloaded' }>,
  spent: LeadSpent,
  budgets: Pick<Budgets, 'waiting'>,
): LeadTurnReading {
  const tooLongMs = tooLongWaitMs({ retryAfterMs });
  const again = tooLongMs === null && spent.waiting < budgets.waiting;
  const detail = tooLongMs === null ? message : withLongWait(message, tooLongMs);
  return {
    action: again ? 'waiting' : 'unavailable',
    text: null,
    failure: { cause: unreachable === true ? 'unreachable' : 'overloaded', detail, hint: null },
    retryAfterMs,
    spent: again ? { ...spent, waiting: spent.waiting + 1 } : spent,
  };
}

function failureOf({ code, message, hint }: Extract<TurnOutcome, { kind: 'unavailable' }>): LeadFailure {
  const cause: ExchangeCause = code;
  return { cause, detail: message, hint: hint === '' ? null : hint };
}
