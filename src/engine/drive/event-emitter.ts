/**
 * Collects the events of an attempt into few writes: deltas over 50 ms or 4 KiB, all others until the end of this tick.
 */
import type { EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { EventScope } from '../port.ts';
import type { RecordDraft } from '../journal/journal.ts';

export const deltaWindowMs = 50;
export const deltaLimitBytes = 4 * 1024;

export interface AttemptEmitter {
  emit(body: EventBody, about?: EventScope): void;
  /** Returns the unwritten records; the caller writes them, together with a record of its own. */
  take(): readonly RecordDraft[];
}

export interface EmitterOptions {
  readonly step: string;
  readonly clock: Clock;
  /** Counts a model turn of the run. */
  readonly beginTurn: () => number;
  readonly turn: number;
  readonly write: (drafts: readonly RecordDraft[]) => void;
}

type Delta = Extract<EventBody, { type: 'text.delta' | 'thinking.delta' }>;

export function createEmitter(options: EmitterOptions): AttemptEmitter {
  let turn = options.turn;
  let pending: RecordDraft[] = [];
  let window: AbortController | null = null;
  let tickScheduled = false;

  return {
    emit(body, about = {}) {
      if (body.type === 'turn.started') turn = options.beginTurn();
      add({ body, turn, step: options.step, ...about });
      if (!isDelta(body)) writeAtEndOfTick();
      else if (sizeOf(pending.at(-1)) >= deltaLimitBytes) write();
      else writeAfterWindow();
    },
    take,
  };

  function add(draft: RecordDraft): void {
    const joined = joinDeltas(pending.at(-1), draft);
    if (joined === null) pending.push(draft);
    else pending[pending.length - 1] = joined;
  }

  function take(): readonly RecordDraft[] {
    window?.abort();
    window = null;
    const taken = pending;
    pending = [];
    return taken;
  }

  function write(): void {
    const taken = take();
    if (taken.length > 0) options.write(taken);
  }

  // The record that ends a step follows its last events within the tick: they share one write.
  function writeAtEndOfTick(): void {
    if (tickScheduled) return;
    tickScheduled = true;
    setImmediate(() => {
      tickScheduled = false;
      write();
    });
  }

  function writeAfterWindow(): void {
    if (window !== null) return;
    window = new AbortController();
    // A rejection means that the deltas were written with another record.
    options.clock.sleep(deltaWindowMs, window.signal).then(write, () => undefined);
  }
}

function joinDeltas(last: RecordDraft | undefined, next: RecordDraft): RecordDraft | null {
  if (last === undefined || !isDelta(last.body) || !isDelta(next.body)) return null;
  const { body } = next;
  const continues = last.body.type === body.type && last.body.block_id === body.block_id;
  if (!continues || !sameScope(last, next)) return null;
  return { ...last, body: { ...body, text: last.body.text + body.text } };
}

function sameScope(left: RecordDraft, right: RecordDraft): boolean {
  return (
    left.turn === right.turn &&
    left.exchangeId === right.exchangeId &&
    left.parentAgentId === right.parentAgentId &&
    left.agent?.id === right.agent?.id
  );
}

function isDelta(body: EventBody): body is Delta {
  return body.type === 'text.delta' || body.type === 'thinking.delta';
}

function sizeOf(draft: RecordDraft | undefined): number {
  return draft !== undefined && isDelta(draft.body) ? Buffer.byteLength(draft.body.text) : 0;
}
