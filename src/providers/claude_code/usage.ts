import type { Usage } from '../../events/collab-event.ts';
import { addTokens } from '../../events/tokens.ts';
import type { WireUsage } from './wire.ts';

/** Returns canonical usage: Anthropic's `input_tokens` is already the uncached input (requirements B.5). */
export function usageOf(counts: WireUsage, model: string, cost: number | null): Usage {
  const written = counts.cache_creation_input_tokens ?? 0;
  const writtenForAnHour = counts.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const reasoning = counts.output_tokens_details?.thinking_tokens ?? null;
  return {
    model,
    input: counts.input_tokens ?? 0,
    output: counts.output_tokens ?? 0,
    cache_read: counts.cache_read_input_tokens ?? 0,
    cache_write_5m: counts.cache_creation?.ephemeral_5m_input_tokens ?? written - writtenForAnHour,
    cache_write_1h: writtenForAnHour,
    ...(reasoning !== null && { reasoning }),
    cost,
    cost_basis: cost === null ? 'unknown' : 'reported',
  };
}

/** Adds the usage of two calls; only a whole turn has a price. */
export function addClaudeUsage(one: Usage | null, other: Usage): Usage {
  if (one === null) return other;
  const { reasoning, ...counted } = addTokens(one, other);
  const isTold = one.reasoning !== undefined || other.reasoning !== undefined;
  return { ...other, ...counted, ...(isTold ? { reasoning } : {}) };
}
