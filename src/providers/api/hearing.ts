import type { Usage } from '../../events/collab-event.ts';
import type { ModelEnd, ModelFailure, ModelSign, SaidPart } from '../contract/model.ts';

/** Listens to one answer, and knows at its end what came of it. */
export interface Hearing<Event> {
  hear(event: Event): void;
  end(): ModelEnd;
  /** Null where the API has not said it (yet). */
  usage(): Usage | null;
}

/** Asks for an answer as a whole. Nothing is heard until it is there: that it was asked for is the first sign. */
export async function askAtOnce<Answer>(
  say: (sign: ModelSign) => void,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  say({ kind: 'alive' });
  return ask();
}

/** A stream that ends without a reason to stop has broken off. */
export const brokenOff: ModelFailure = {
  kind: 'cut',
  message: 'the answer broke off without a reason to stop',
};

/** Arguments as they were written: what is no JSON is told to the model as such by the loop. */
export function argumentsIn(written: string): Extract<SaidPart, { type: 'tool_call' }>['args'] {
  if (written.trim() === '') return {};
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

interface Counted {
  readonly model: string;
  /** All that was read, what came from the cache too. */
  readonly input: number | undefined;
  readonly cached: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/** Input without what was read from the cache (requirements B.5). */
export function usageOf({ model, input = 0, cached = 0, output = 0, reasoning = 0 }: Counted): Usage {
  return {
    model,
    input: Math.max(0, input - cached),
    output,
    cache_read: cached,
    cache_write_5m: 0,
    cache_write_1h: 0,
    reasoning,
    cost: null,
    cost_basis: 'unknown',
  };
}
