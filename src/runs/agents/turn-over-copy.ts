/** Lets an agent think while the files that it may read are still being copied. */
import type { EventBody } from '../../events/collab-event.ts';
import type { Agent, TurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import { orAborted } from '../../system/or-aborted.ts';
import type { FillingCopy } from '../folder/agent-folders.ts';

interface Reader {
  readonly copy: FillingCopy;
  readonly agent: Pick<Agent, 'interruptible'>;
}

/**
 * Performs a turn. If the agent uses a tool before every file is there, its turn is interrupted, and the same prompt
 * is sent again when the copy is whole. An agent that cannot be interrupted waits for the copy. Until no such tool can
 * be running, the session is marked as early: if the process dies, its answer is not recovered, and it is not
 * continued.
 */
export async function turnOverCopy(
  turn: (call: TurnRequest) => Promise<TurnResult>,
  call: TurnRequest,
  { copy, agent }: Reader,
): Promise<TurnResult> {
  if (copy.isWhole()) return turn(call);
  if (agent.interruptible === true) {
    const tooEarly = new AbortController();
    let early: string | null = null;
    const clearMark = (): void => {
      if (early !== null) copy.markEarly(early, false);
      early = null;
    };
    const result = await turn({
      ...call,
      interrupt: tooEarly.signal,
      emit(event) {
        if (event.type === 'turn.started') copy.fillRest();
        const isSafe = copy.isWhole(onItsWayMs);
        if (usesTool(event) && !isSafe) tooEarly.abort();
        if (isSafe && !tooEarly.signal.aborted) clearMark();
        call.emit(event);
      },
      async bind(sessionId) {
        copy.markEarly(sessionId, true);
        early = sessionId;
        await call.bind(sessionId);
      },
    });
    if (!tooEarly.signal.aborted) {
      clearMark();
      return result;
    }
    call.emit(askedAgain);
  }
  await orAborted(copy.whole(), call.signal);
  return turn(call);
}

/**
 * The longest delivery time of an event: one of a tool that started too early may arrive after the copy is complete.
 */
const onItsWayMs = 250;

function usesTool({ type }: EventBody): boolean {
  return type.startsWith('tool.');
}

const askedAgain: EventBody = {
  type: 'error',
  kind: 'cancelled',
  message: 'it read files before all of them were copied; it is asked again',
  retryable: true,
};
