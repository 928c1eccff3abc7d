import { drawnAfter, drawnBefore } from '../../test/fixtures/streaming/drawn-flow.ts';
import { orAborted } from '../system/or-aborted.ts';
import { Deferred } from '../system/deferred.ts';
import type { OpenStream, Turn } from './served.test-helper.ts';

/** The run that the specification draws: it stops in its tool until the test releases it. */
export function drawnTurn(): { readonly turn: Turn; readonly release: () => void } {
  const released = new Deferred<void>();
  return {
    release: () => released.resolve(),
    turn: async ({ emit, keep, signal }) => {
      drawnBefore.forEach(emit);
      await orAborted(released.promise, signal);
      drawnAfter.forEach(emit);
      const usage = {
        model: 'model-1',
        input: 1500,
        output: 500,
        cache_read: 200,
        cache_write_5m: 15_000,
        cache_write_1h: 0,
        cost: 0.0075,
        cost_basis: 'profile',
      } as const;
      emit({ type: 'usage', ...usage });
      emit({ type: 'turn.ended', stop_reason: 'end_turn', usage });
      keep({ role: 'assistant', content: '完了しました。' });
      return { kind: 'answered' };
    },
  };
}

/** Resolves when its tool runs. */
export async function untilRunning({ frames }: Pick<OpenStream, 'frames'>): Promise<void> {
  while (!frames().some(({ data }) => data.includes('"tool_status":"running"'))) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
