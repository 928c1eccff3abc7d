/** Token counts of model calls; `input` is uncached input only. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly reasoning: number;
}

export const noTokens: Tokens = {
  input: 0,
  output: 0,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  reasoning: 0,
};

/** Returns the total of all kinds. Reasoning is part of the output. */
export function countTokens(told: ToldTokens): number {
  return told.input + told.output + told.cache_read + told.cache_write_5m + told.cache_write_1h;
}

/** The tokens as reported; a call that does not report its reasoning counts none. */
export type ToldTokens = Omit<Tokens, 'reasoning'> & { readonly reasoning?: number | undefined };

export function addTokens(one: ToldTokens, other: ToldTokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cache_read: one.cache_read + other.cache_read,
    cache_write_5m: one.cache_write_5m + other.cache_write_5m,
    cache_write_1h: one.cache_write_1h + other.cache_write_1h,
    reasoning: (one.reasoning ?? 0) + (other.reasoning ?? 0),
  };
}
