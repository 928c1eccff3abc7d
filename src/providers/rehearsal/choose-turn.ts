/** Which turn of the script a call plays. */
import type { TurnRequest } from '../contract.ts';
import type { PlayedTurns } from './played-turns.ts';
import type { ScriptedTurn } from './script.ts';

/** Index of the first turn that fits and is not used up; -1 where there is none. */
export function chooseTurn(
  turns: readonly ScriptedTurn[],
  played: Pick<PlayedTurns, 'count'>,
  call: Pick<TurnRequest, 'request' | 'prompt' | 'callId'>,
): number {
  return turns.findIndex(
    (turn, index) =>
      (turn.repeat === 'forever' || played.count(index) < turn.repeat) && fits(turn.when, call),
  );
}

function fits(when: ScriptedTurn['when'], call: Pick<TurnRequest, 'request' | 'prompt' | 'callId'>): boolean {
  const { attempt, chunk } = readCallId(call.callId);
  return (
    (when.tag === undefined || when.tag === call.request.tag) &&
    (when.contains === undefined || call.prompt.includes(when.contains)) &&
    (when.attempt === undefined || when.attempt === attempt) &&
    (when.chunk === undefined || when.chunk === chunk)
  );
}

/** A call is named `<exchange>/<turn of the exchange>/<try of the step>`, an exchange of a review `…chunk-<n>…`. */
function readCallId(callId: string): { readonly attempt: number; readonly chunk: number } {
  const [exchange = '', turn = '1'] = callId.split('/');
  return { attempt: Number(turn), chunk: Number(/chunk-(\d+)/.exec(exchange)?.[1] ?? 1) };
}
