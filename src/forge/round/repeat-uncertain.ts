/** Repeats work whose last request may have been done: each attempt reads the effects of the one before. */
import { ForgeError } from '../forge-error.ts';
import type { Waits } from '../waits.ts';

export async function repeatUncertain<Value>(waits: Waits, act: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ForgeError) || !error.isUncertain) throw error;
      const failure = { why: error.message, attempt, askedMs: error.askedMs };
      if (!(await waits.waitAfter(failure))) throw error;
    }
  }
}
