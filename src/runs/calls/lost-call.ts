/** Decides about a call that was lost with its process: the one home of the rule that it is repeated once. */
import type { StepAttempt } from '../../engine/port.ts';
import type { Harvest, TurnResult } from '../../providers/contract/contract.ts';

export type LostCall =
  /** The call was found again, or has been lost too often. */
  | {
      readonly kind: 'ended';
      readonly result: Extract<TurnResult, { kind: 'answered' | 'cut' }>;
    }
  /** The agent's session has the prompt: the agent is asked to send its answer again. */
  | { readonly kind: 'go_on'; readonly sessionId: string }
  /** The agent has no trace of the call. */
  | { readonly kind: 'afresh' };

/** Attempts of one paid call, over all processes of the run. */
const mostAttempts = 2;

/**
 * Returns null if no call was lost. The limit applies whatever `harvest` finds: an agent whose state folder is gone
 * finds nothing of a call that was paid for.
 */
export async function recoverLostCall(
  { lostSessionId, number }: Pick<StepAttempt, 'lostSessionId' | 'number'>,
  harvest: (sessionId: string) => Promise<Harvest>,
): Promise<LostCall | null> {
  if (lostSessionId === null) return null;
  const found = await harvest(lostSessionId);
  if (found.kind === 'answered') {
    const stopReason = found.stopReason ?? null;
    return { kind: 'ended', result: { ...found, sessionId: lostSessionId, stopReason } };
  }
  if (number > mostAttempts) {
    const message = 'the call was lost twice with its process';
    return { kind: 'ended', result: { kind: 'cut', message, sessionId: lostSessionId, uncounted: false } };
  }
  return found.kind === 'not_sent' ? { kind: 'afresh' } : { kind: 'go_on', sessionId: lostSessionId };
}
