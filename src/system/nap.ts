import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `ms`, or once `signal` fires: for a wait between two looks. */
export async function nap(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
