/** Converts a scripted fault into the value that a real provider would return for it. */
import type { TurnResult } from '../contract/contract.ts';
import type { ScriptedTurn } from './script.ts';

/** `never` has no value: it is silence until a limit. */
export type ScriptedFault = Exclude<NonNullable<ScriptedTurn['fault']>, 'never'>;

export function faultResult(fault: ScriptedFault, turn: ScriptedTurn, sessionId: string): TurnResult {
  return results[fault](turn, { message: turn.message ?? `the script says ${fault}`, sessionId });
}

interface Said {
  readonly message: string;
  readonly sessionId: string;
}

const hint = 'Change the rehearsal script.';

const results: Readonly<Record<ScriptedFault, (turn: ScriptedTurn, said: Said) => TurnResult>> = {
  timed_out: ({ limit }, said) => ({ kind: 'timed_out', limit, ...said }),
  overloaded: ({ retry_after_ms: retryAfterMs, unreachable }, said) => ({
    kind: 'overloaded',
    retryAfterMs,
    ...said,
    ...(unreachable === true && { unreachable }),
  }),
  unavailable: ({ code }, { message }) => ({ kind: 'unavailable', code, message, hint }),
  die: (_turn, { message }) => ({ kind: 'unavailable', code: 'died', message, hint }),
  empty: (_turn, said) => ({ kind: 'empty', ...said }),
  cut: (_turn, said) => ({ kind: 'cut', uncounted: false, ...said }),
};
