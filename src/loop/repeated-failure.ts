import type { ToolCallPart, ToolResultPart } from '../providers/contract/model.ts';

/** Counts how often the very same call has failed without another between (X004-7). */
export function createFailureCount() {
  let [last, times] = ['', 0];
  return {
    /** How often the last call of all has failed now; 0 where it worked. */
    count(calls: readonly ToolCallPart[], results: readonly ToolResultPart[]): number {
      for (const [index, { name, args }] of calls.entries()) {
        const call = JSON.stringify([name, args]);
        times = results[index]?.is_error === true ? (call === last ? times + 1 : 1) : 0;
        last = call;
      }
      return times;
    },
  };
}
