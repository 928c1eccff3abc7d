import { once } from 'node:events';

/** Resolves once `signal` fires. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
