/** Repeats work whose last request may have been done: each attempt reads the effects of the one before. */
import type { Clock } from '../../system/clock.ts';
import { ForgeError } from '../forge-error.ts';

const mostAttempts = 4;
const firstWaitMs = 1000;

export async function repeatUncertain<Value>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  act: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      const isPassing = error instanceof ForgeError && error.isUncertain;
      if (!isPassing || attempt === mostAttempts) throw error;
      await clock.sleep(firstWaitMs * 2 ** (attempt - 1), signal);
    }
  }
}
