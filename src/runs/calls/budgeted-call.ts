/**
 * One agent call within the run's budget: it is not made if nothing is left, and is settled by the usage in its events.
 */
import type { EventBody, Usage } from '../../events/collab-event.ts';
import type { Budget, BudgetRefusal } from './budget.ts';

export interface BudgetedCall {
  readonly prompt: string;
  /** Receives the call's events, and the state of the budget after the call. */
  readonly emit: (event: EventBody) => void;
  /** Ends the wait for room. */
  readonly signal: AbortSignal;
}

/** `perform` gets the `emit` that the agent must use. */
export async function callWithin<Result>(
  budget: Budget,
  { prompt, emit, signal }: BudgetedCall,
  perform: (emit: (event: EventBody) => void) => Promise<Result>,
): Promise<Result | BudgetRefusal> {
  if (!budget.limited) return perform(emit);
  const reservation = await budget.reserve(prompt.length, signal);
  if (reservation.kind === 'refused') return reservation;
  const told: Usage[] = [];
  const heard = { inTurn: false };
  const listen = (event: EventBody): void => {
    if (event.type === 'turn.started') heard.inTurn = false;
    if (event.type === 'usage') {
      heard.inTurn = true;
      told.push(event);
    }
    // A turn's own usage is the sum of its model calls.
    if (event.type === 'turn.ended' && event.usage !== null && !heard.inTurn) told.push(event.usage);
    emit(event);
  };
  try {
    return await perform(listen);
  } finally {
    for (const event of await reservation.settle(told)) emit(event);
  }
}
