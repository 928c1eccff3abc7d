/** Stops a turn whose text grows beyond the largest answer that is read, while it streams. Bounds all else in it. */
import type { EventBody } from '../../events/collab-event.ts';
import { beginningOf, bytesOf, maxAnswerBytes, stoppedAtLimit } from '../../parsers/markdown/answer-size.ts';
import type { TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import { boundOutput } from './bounded-output.ts';

/** Performs a turn. Returns the beginning of an answer that is too large, with its own stop reason. */
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
  return { kind: 'answered', text: bound.text(), sessionId, usage: null, stopReason: stoppedAtLimit };
}

export interface TextBound {
  /** Aborts when the caller's signal does, and when a text block is too large. */
  readonly signal: AbortSignal;
  /** Passes events on; of a block that is too large, only the beginning. */
  readonly emit: (event: EventBody) => void;
  /** Settles like `turn`, unless a block was too large: then it ends what the turn left open and returns `stopped`. */
  unlessStopped<Result>(turn: Promise<Result>): Promise<Result | 'stopped'>;
  /** Returns the beginning of the block that was too large; empty if there is none. */
  text(): string;
}

export function boundText(caller: Pick<TurnCall, 'signal' | 'emit'>): TextBound {
  const stop = new AbortController();
  const blocks = new Map<string, { text: string; bytes: number }>();
  let tooLarge = '';
  let inTurn = false;
  const emitBounded = boundOutput(caller.emit);

  function add(event: Extract<EventBody, { type: 'text.delta' }>): void {
    const block = blocks.get(event.block_id) ?? { text: '', bytes: 0 };
    blocks.set(event.block_id, block);
    const bytes = bytesOf(event.text);
    const text =
      block.bytes + bytes > maxAnswerBytes
        ? beginningOf(event.text, maxAnswerBytes - block.bytes)
        : event.text;
    block.text += text;
    block.bytes += bytes;
    if (text !== '') caller.emit({ ...event, text });
    if (block.bytes <= maxAnswerBytes) return;
    tooLarge = block.text;
    stop.abort(new Error('the answer is too large'));
  }

  function emit(event: EventBody): void {
    if (event.type === 'turn.started') inTurn = true;
    if (event.type === 'turn.ended') inTurn = false;
    if (event.type === 'text.delta') {
      if (!stop.signal.aborted) add(event);
    } else if (event.type === 'text.end') {
      const text = stop.signal.aborted ? (blocks.get(event.block_id)?.text ?? '') : event.text;
      blocks.delete(event.block_id);
      caller.emit({ ...event, text });
    } else if (event.type === 'turn.ended' && stop.signal.aborted) {
      caller.emit({ ...event, stop_reason: stoppedAtLimit });
    } else emitBounded(event);
  }

  function close(): void {
    for (const [blockId, { text }] of blocks) caller.emit({ type: 'text.end', block_id: blockId, text });
    blocks.clear();
    if (inTurn) caller.emit({ type: 'turn.ended', stop_reason: stoppedAtLimit, usage: null });
    inTurn = false;
  }

  return {
    signal: AbortSignal.any([caller.signal, stop.signal]),
    emit,
    async unlessStopped(turn) {
      try {
        const result = await turn;
        if (!stop.signal.aborted) return result;
      } catch (error) {
        if (caller.signal.aborted || !stop.signal.aborted) throw error;
      }
      close();
      return 'stopped';
    },
    text: () => tooLarge,
  };
}
