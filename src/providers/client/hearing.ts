import type { Usage } from '../../events/collab-event.ts';
import type { ModelEnd, ModelFailure, ModelSign, SaidPart } from '../contract/model.ts';

/** Listens to one answer and reports its result at the end. */
export interface Hearing {
  /** Takes one event of the API as it arrived, unchecked. */
  hear(event: unknown): void;
  end(): ModelEnd;
  /** Returns the usage; null if the API has not sent it (yet). */
  usage(): Usage | null;
}

/** Requests an answer as a whole. Nothing arrives until it is complete, so the request itself is the first sign. */
export async function askAtOnce<Answer>(
  say: (sign: ModelSign) => void,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  say({ kind: 'alive' });
  return ask();
}

/** The failure of a stream that ends without a stop reason. */
export const brokenOff: ModelFailure = {
  kind: 'cut',
  message: 'the answer ended early without a reason to stop',
};

/** Returns the arguments as written; the loop reports invalid JSON to the model. */
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
  /** All input tokens, including those read from the cache. */
  readonly input: number | undefined;
  readonly cached: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/** Returns the usage; its input excludes tokens read from the cache (requirements B.5). */
export function usageOfReply({ model, input = 0, cached = 0, output = 0, reasoning = 0 }: Counted): Usage {
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
