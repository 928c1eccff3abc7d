/** Stops a turn, while it streams, whose text grows beyond the largest answer that is read, or whose events are too large together. */
import type { EventBody } from '../../events/collab-event.ts';
import {
  beginningOf,
  bytesOf,
  maxAnswerBytes,
  stoppedAtLimit,
  stoppedAtTurnLimit,
} from '../../parsers/markdown/answer-size.ts';
import type { TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import { boundOutput } from './bounded-output.ts';
import { createOpenParts } from './open-parts.ts';
import { createTurnSize } from './turn-size.ts';

/** Performs a turn. Returns the beginning of the answer of a turn that is too large, with its own stop reason. */
export async function boundedTurn<Call extends TurnCall>(
  turn: (call: Call) => Promise<TurnResult>,
  call: Call,
): Promise<TurnResult> {
  const bound = boundText(call);
  let sessionId = call.sessionId;
  const bind = (id: string): Promise<void> => {
    sessionId = id;
    return call.bind(id);
  };
  const result = await bound.unlessStopped(turn({ ...call, signal: bound.signal, emit: bound.emit, bind }));
  if (result !== 'stopped') return result;
  return { kind: 'answered', text: bound.text(), sessionId, usage: null, stopReason: bound.stopReason() };
}

export function boundText(caller: Pick<TurnCall, 'signal' | 'emit'>) {
  const stop = new AbortController();
  const blocks = new Map<string, { text: string; bytes: number }>();
  const hasRoom = createTurnSize();
  const open = createOpenParts();
  let stopReason: string | null = null;
  let kept = '';
  let inTurn = false;

  function stopTurn(reason: string, text: string): void {
    stopReason = reason;
    kept = text;
    stop.abort(new Error('the answer is too large'));
  }

  /** Passes an event on if the turn has room for it, or if it ends something that was passed on. */
  function pass(event: EventBody): void {
    if (stopReason === null && !hasRoom(event)) {
      stopTurn(stoppedAtTurnLimit, [...blocks.values()].at(-1)?.text ?? '');
    }
    if (stopReason !== null && !endsTurn(event) && !open.isEnd(event)) return;
    open.note(event);
    caller.emit(event);
  }

  const passBounded = boundOutput(pass);

  function add(event: Extract<EventBody, { type: 'text.delta' }>): void {
    const block = blocks.get(event.block_id) ?? { text: '', bytes: 0 };
    blocks.set(event.block_id, block);
    const bytes = bytesOf(event.text);
    const text =
      block.bytes + bytes > maxAnswerBytes
        ? beginningOf(event.text, maxAnswerBytes - block.bytes)
        : event.text;
    if (text !== '') pass({ ...event, text });
    if (stopReason !== null) return;
    block.text += text;
    block.bytes += bytes;
    if (block.bytes > maxAnswerBytes) stopTurn(stoppedAtLimit, block.text);
  }

  function emit(event: EventBody): void {
    if (event.type === 'turn.started') inTurn = true;
    if (event.type === 'turn.ended') inTurn = false;
    if (event.type === 'text.delta') {
      if (stopReason === null) add(event);
    } else if (event.type === 'text.end') {
      const text = stopReason === null ? event.text : (blocks.get(event.block_id)?.text ?? '');
      pass({ ...event, text });
      blocks.delete(event.block_id);
    } else if (event.type === 'turn.ended' && stopReason !== null) {
      pass({ ...event, stop_reason: stopReason });
    } else passBounded(event);
  }

  function close(): void {
    for (const [blockId, { text }] of blocks) pass({ type: 'text.end', block_id: blockId, text });
    blocks.clear();
    for (const end of open.ends()) pass(end);
    if (inTurn) pass({ type: 'turn.ended', stop_reason: stopReason, usage: null });
    inTurn = false;
  }

  return {
    /** Aborts when the caller's signal does, and when a text block or the turn is too large. */
    signal: AbortSignal.any([caller.signal, stop.signal]),
    /** Passes events on; of a block or a turn that is too large, only the beginning, and the ends of what is open. */
    emit,
    /** Settles like `turn`, unless it was stopped: then it ends what the turn left open and returns `stopped`. */
    async unlessStopped<Result>(turn: Promise<Result>): Promise<Result | 'stopped'> {
      try {
        const result = await turn;
        if (stopReason === null) return result;
      } catch (error) {
        if (caller.signal.aborted || stopReason === null) throw error;
      }
      close();
      return 'stopped';
    },
    /** Returns the beginning of the block at which the turn was stopped; empty if there is none. */
    text: (): string => kept,
    /** Returns the reason for which the turn was stopped; null if it was not. */
    stopReason: (): string | null => stopReason,
  };
}

/** Also after a stop: a turn reports its usage and its end once. */
function endsTurn({ type }: EventBody): boolean {
  return type === 'turn.ended' || type === 'usage';
}
